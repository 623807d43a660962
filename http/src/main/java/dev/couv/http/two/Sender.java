// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import dev.couv.stream.ByteStream;
import dev.couv.sync.Gate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// What leaves a connection: a coroutine of it does what others have ordered, and writes the bytes that come of it. So nobody
/// who is cancelled takes bytes of others along, and all that was ordered in a turn leaves in one write.
final class Sender {
  /// Whoever lets the server say so much and takes none of it is not read any further.
  private static final int FULL = 1 << 16;

  private static final int PIECE = 1 << 16;

  /// What an order may come to, about.
  private static final int ORDER = 64;

  private final ByteStream stream;
  private final FrameChannel channel;
  private final Deque<Runnable> orders = new ArrayDeque<>();
  private final Gate work = new Gate();

  /// Opens for a moment whenever something was sent, and stays open when nothing is sent any more.
  private final Gate progress = new Gate();

  /// What is being written; null while there is nothing.
  private @Nullable ByteBuffer writing;

  /// How many bytes the kernel has taken.
  private long written;

  Sender(ByteStream stream, FrameChannel channel) {
    this.stream = stream;
    this.channel = channel;
  }

  /// To be done in the sender's coroutine, which must not wait in it.
  void order(Runnable order) {
    orders.add(order);
    work.open();
  }

  /// There may be something to send, or nothing left to be sent ever.
  void wake() {
    work.open();
  }

  /// Waits for work and does it, until there is none left.
  void sendSome() throws IOException {
    work.await();
    work.close();
    while (!isIdle()) {
      for (Runnable order; (order = orders.poll()) != null; ) {
        order.run();
      }
      channel.flush();
      channel.runPendingTasks();
      moved(); // orders need not make bytes
      write();
    }
  }

  private void write() throws IOException {
    ByteBuffer bytes = channel.take();
    int end = bytes.limit();
    writing = bytes;
    try {
      // In pieces, so that it is seen whether the client takes something.
      while (bytes.position() < end) {
        int count = Math.min(end - bytes.position(), PIECE);
        stream.write(bytes.limit(bytes.position() + count));
        written += count;
        moved();
      }
    } finally {
      writing = null;
    }
  }

  /// Whoever waits for progress looks again.
  private void moved() {
    progress.open();
    progress.close();
  }

  /// Whether there is nothing to be sent.
  boolean isIdle() {
    return orders.isEmpty() && channel.size() == 0 && writing == null;
  }

  /// Waits until the kernel has all that was said so far.
  void awaitSent() throws IOException {
    long wanted = channel.produced();
    while (written < wanted) {
      awaitProgress();
    }
  }

  /// Waits while the client takes too little.
  void awaitRoom() throws IOException {
    while (channel.size() + orders.size() * ORDER > FULL) {
      awaitProgress();
    }
  }

  private void awaitProgress() throws IOException {
    if (progress.isOpen()) {
      throw new ClosedChannelException();
    }
    progress.await();
  }

  /// Nobody sends any more: whoever waits for it is told.
  void end() {
    progress.open();
  }

  /// A number that changes while the client takes something.
  long taken() {
    return written;
  }

  /// Whether there is something that the client does not take.
  boolean isStalled() {
    return writing != null;
  }
}
