// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import dev.couv.loop.EventLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Several signals caught together: all of them, or none.
final class SignalSet {
  private final List<SignalHandle> handles = new ArrayList<>();

  private SignalSet() {}

  static SignalSet open(EventLoop loop, Set<Signal> signals, Consumer<Signal> receiver)
      throws IOException {
    SignalSet set = new SignalSet();
    boolean complete = false;
    try {
      for (Signal signal : signals) {
        set.handles.add(SignalHandle.open(loop, signal, receiver));
      }
      complete = true;
      return set;
    } finally {
      if (!complete) {
        set.close();
      }
    }
  }

  void close() {
    handles.forEach(SignalHandle::close);
  }
}
