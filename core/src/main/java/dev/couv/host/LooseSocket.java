// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Unread;
import dev.couv.uv.Posix;
import dev.couv.world.LooseStream;
import dev.couv.world.StreamHandle;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/// The descriptor of a socket on its way from one loop to another: owned by whoever takes it out.
final class LooseSocket<H extends StreamHandle> implements LooseStream<H> {
  private static final int CLOSED = -1;
  private static final int ADOPTED = -2;

  /// Makes a stream of the same kind of the descriptor, which stays the caller's if that fails, and so does what is
  /// unread.
  @FunctionalInterface
  interface Reopening<H> {
    H reopen(EventLoop loop, int descriptor, Unread left) throws IOException;
  }

  private final String name;
  private final AtomicInteger descriptor;
  private final Unread left;
  private final Reopening<H> reopening;

  LooseSocket(String name, int descriptor, Unread left, Reopening<H> reopening) {
    this.name = name;
    this.descriptor = new AtomicInteger(descriptor);
    this.left = left;
    this.reopening = reopening;
  }

  @Override
  public H adopt(EventLoop loop) throws IOException {
    int number = descriptor.get();
    if (number < 0 || !descriptor.compareAndSet(number, ADOPTED)) {
      if (descriptor.get() == CLOSED) {
        throw Failures.closed(this);
      }
      throw new IllegalStateException(this + " was adopted already");
    }
    try {
      return reopening.reopen(loop, number, left);
    } catch (Throwable failed) {
      descriptor.set(number);
      throw failed;
    }
  }

  @Override
  public void close() {
    int seen = descriptor.get();
    if (seen >= 0 && descriptor.compareAndSet(seen, CLOSED)) {
      Posix.close(seen);
    }
  }

  @Override
  public boolean isGone() {
    return descriptor.get() < 0;
  }

  @Override
  public String toString() {
    return "detached " + name;
  }
}
