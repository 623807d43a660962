// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.strand.Suspension;
import dev.couv.uv.Posix;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A connected socket between two loops: a stream was detached from one, and the next one adopts it.
///
/// ```java
/// var moving = stream.detach();
/// otherLoop.submit(() -> {
///   try (var here = moving.adopt()) {
///     serve(here);
///   }
/// });
/// ```
///
/// Nothing is lost on the way: what was read and not taken is the first that the adopted stream reads.
/// Any thread may have it, and pass it on; it owns the socket until it is adopted, or closed. One that
/// nobody refers to any more is closed.
public final class Detached<S extends NativeStream> implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  /// Owned by whoever takes it out.
  private static final class Descriptor implements Runnable {
    static final int GONE = -1;
    static final int ADOPTED = -2;

    final AtomicInteger number;

    Descriptor(int number) {
      this.number = new AtomicInteger(number);
    }

    /// Nobody refers to the socket any more.
    @Override
    public void run() {
      int seen = number.get();
      if (seen >= 0 && number.compareAndSet(seen, GONE)) {
        Posix.close(seen);
      }
    }
  }

  private final String name;
  private final Descriptor descriptor;
  private final @Nullable ByteBuffer left;
  private final int ending;
  private final NativeStream.Reopening<S> reopening;

  Detached(
      String name,
      int descriptor,
      @Nullable ByteBuffer left,
      int ending,
      NativeStream.Reopening<S> reopening) {
    this.name = name;
    this.descriptor = new Descriptor(descriptor);
    this.left = left;
    this.ending = ending;
    this.reopening = reopening;
    CLEANER.register(this, this.descriptor);
  }

  /// The stream, on the loop of the coroutine that calls this. Does not wait. If it fails, the socket
  /// is still here.
  ///
  /// @throws IllegalStateException if it was adopted already
  /// @throws java.nio.channels.ClosedChannelException if it was closed
  public S adopt() throws IOException {
    EventLoop loop = Suspension.loop("adopt");
    int number = descriptor.number.get();
    if (number < 0 || !descriptor.number.compareAndSet(number, Descriptor.ADOPTED)) {
      if (descriptor.number.get() == Descriptor.GONE) {
        throw Failures.closed(this);
      }
      throw new IllegalStateException(this + " was adopted already");
    }
    S stream = null;
    try {
      stream = Objects.requireNonNull(reopening.reopen(loop, number));
    } finally {
      if (stream == null) {
        descriptor.number.set(number);
      }
    }
    stream.resume(left, ending);
    return stream;
  }

  /// Closes the socket, unless it was adopted. Any thread.
  @Override
  public void close() {
    descriptor.run();
  }

  @Override
  public String toString() {
    return "detached " + name;
  }
}
