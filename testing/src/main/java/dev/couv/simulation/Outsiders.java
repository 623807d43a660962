// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.loop.EventLoop;
import dev.couv.strand.Strand;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Finds threads that come into a simulation from outside: a plain thread that completes a promise of a host, or the JDK's own that
/// tells of a real socket. When they come the seed does not decide. A loop's doorkeeper looks who it is; calls by `Loop.offload`,
/// which are waited for, may come in.
///
/// Not found is who comes when all is over, or only changes a variable.
final class Outsiders {
  /// By which the JDK waits for sockets and pipes.
  private static final String POLLER = "sun.nio.ch.Poller";

  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private final AtomicReference<@Nullable String> first = new AtomicReference<>();

  /// In a coroutine of that loop: whoever comes into it from now on is looked at.
  void watch(String host, EventLoop loop) {
    Thread driving = loop.thread();
    loop.doorkeeper(
        () -> {
          if (Thread.currentThread() != driving && !isDriven(driving) && !Offloads.isOne()) {
            first.compareAndSet(null, STACK.walk(frames -> told(host, frames.toList())));
          }
        });
  }

  private static boolean isDriven(@Nullable Thread driving) {
    Strand strand = Strand.currentOrNull();
    return strand != null && strand.scheduler().events().thread() == driving;
  }

  /// Who came first; null if nobody did.
  @Nullable String found() {
    return first.get();
  }

  /// Null for the JDK when it wakes a coroutine that waited for a lock of the VM's, as while a class is loaded.
  private static @Nullable String told(String host, List<StackFrame> stack) {
    if (stack.stream().anyMatch(frame -> frame.getClassName().equals(POLLER))) {
      return host + ": a coroutine waits for a real socket or pipe. Use Couv's, as Tcp.connect";
    }
    int outer = 0;
    while (outer < stack.size() && OutsideCalls.isOurs(stack.get(outer).getDeclaringClass())) {
      outer++;
    }
    if (outer == 0 || outer == stack.size() || isWaking(stack.get(outer))) {
      return null;
    }
    StackFrame call = stack.get(outer - 1);
    String caller =
        stack.stream()
            .skip(outer)
            .filter(frame -> !frame.getClassName().startsWith("java."))
            .findFirst()
            .map(frame -> " at " + frame.toStackTraceElement())
            .orElse("");
    return host
        + ": the thread \""
        + Thread.currentThread().getName()
        + "\" came from outside, by "
        + call.getDeclaringClass().getSimpleName()
        + "."
        + call.getMethodName()
        + caller
        + ". Use coroutines, or Loop.offload";
  }

  private static boolean isWaking(StackFrame frame) {
    return frame.getClassName().equals("java.lang.VirtualThread");
  }
}
