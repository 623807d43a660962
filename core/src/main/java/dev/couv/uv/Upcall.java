// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.function.Consumer;

/// The way back from libuv: C code that calls Java. One for each type of callback, for the life of the process: a stub per
/// call, or per handle, would fill the code heap.
///
/// It is called on the thread that runs the loop, inside the libuv function that calls back.
public final class Upcall {
  private static final FunctionDescriptor SHAPE =
      FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private Upcall() {}

  /// What is called: with the first arguments that there are, and what is left in registers of others; of an `int` only the
  /// lower half counts. [Shape] says why.
  @FunctionalInterface
  public interface Receiver {
    void receive(long a, long b, long c, long d, long e);
  }

  /// A function pointer for libuv. What the receiver throws goes to `escaped`; what that throws is lost, because an exception
  /// that left a callback would end the VM.
  public static long to(Receiver receiver, Consumer<Throwable> escaped) {
    try {
      MethodHandle target =
          MethodHandles.lookup().bind(new Guard(receiver, escaped), "call", SHAPE.toMethodType());
      return Native.upcall(target, SHAPE);
    } catch (ReflectiveOperationException e) {
      throw Native.unexpected(e);
    }
  }

  /// The one place where nothing leaves an upcall.
  private record Guard(Receiver receiver, Consumer<Throwable> escaped) {
    @SuppressWarnings("UnusedMethod") // found by name
    void call(long a, long b, long c, long d, long e) {
      try {
        receiver.receive(a, b, c, d, e);
      } catch (Throwable t) {
        leaves(t);
      }
    }

    private void leaves(Throwable thrown) {
      try {
        escaped.accept(thrown);
      } catch (Throwable lost) {
        // There is nobody left to tell, and to throw would end the VM.
      }
    }
  }
}
