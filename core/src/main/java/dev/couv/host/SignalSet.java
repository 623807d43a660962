// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.world.SignalHandle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Several signals caught together: all of them, or none.
final class SignalSet implements SignalHandle {
  private final List<WatchedSignal> handles = new ArrayList<>();

  private SignalSet() {}

  static SignalSet open(EventLoop loop, Set<String> signals, Consumer<String> receiver)
      throws IOException {
    SignalSet set = new SignalSet();
    boolean complete = false;
    try {
      for (String signal : signals) {
        WatchedSignal handle =
            new WatchedSignal(
                loop, signal, SignalRules.wayOf(loop, signal), () -> receiver.accept(signal));
        set.handles.add(handle);
        Failures.check(handle.start(), "catch", handle);
      }
      complete = true;
      return set;
    } finally {
      if (!complete) {
        set.close();
      }
    }
  }

  @Override
  public void close() {
    handles.forEach(WatchedSignal::close);
  }
}
