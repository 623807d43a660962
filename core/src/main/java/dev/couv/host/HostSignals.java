// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.UvProcess;
import dev.couv.world.AwaitedSignals;
import dev.couv.world.Request;
import dev.couv.world.Signals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The signals of the system, beside a Java VM.
final class HostSignals implements Signals {
  static final HostSignals INSTANCE = new HostSignals();

  private HostSignals() {}

  @Override
  public int number(String name) {
    return SignalNumbers.of(name);
  }

  @Override
  public String name(int number) {
    return SignalNumbers.name(number);
  }

  @Override
  public @Nullable String refusal(String name) {
    return SignalRules.refusal(name);
  }

  @Override
  public void send(long pid, String name) throws IOException {
    Failures.check(
        UvProcess.uv_kill((int) pid, SignalNumbers.of(name)),
        "send " + name + " to",
        "process " + pid);
  }

  @Override
  public Runnable open(EventLoop loop, Set<String> names, Consumer<String> receiver)
      throws IOException {
    List<WatchedSignal> handles = new ArrayList<>();
    try {
      for (String name : names) {
        SignalCatch way = SignalRules.wayOf(loop, name);
        WatchedSignal handle = new WatchedSignal(loop, name, way, () -> receiver.accept(name));
        handles.add(handle);
        Failures.check(handle.start(), "catch", handle);
      }
    } catch (Throwable failed) {
      handles.forEach(WatchedSignal::close);
      throw failed;
    }
    return () -> handles.forEach(WatchedSignal::close);
  }

  /// One alone is a coroutine handle; several need a handle each.
  @Override
  public Request<String> await(EventLoop loop, Set<String> names) {
    return names.size() == 1
        ? new AwaitedSignal(loop, names.iterator().next())
        : new AwaitedSignals(this, loop, names);
  }

  @Override
  public boolean subscribe(String name, Runnable listener) {
    return VmSignals.subscribe(name, SignalNumbers.of(name), listener);
  }

  @Override
  public void unsubscribe(String name, Runnable listener) {
    VmSignals.unsubscribe(name, listener);
  }
}
