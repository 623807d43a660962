// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

import dev.couv.coro.Action;
import dev.couv.http.socket.FrameWriter.Frame;
import dev.couv.stream.ByteSink;
import dev.couv.stream.ByteStream;
import dev.couv.stream.ByteWriter;
import dev.couv.sync.Mutex;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The frames of a socket on their way, each as a whole, in the order they came.
///
/// ## Who waits
///
/// As long as little is ahead of the other side, nobody. Beyond that one waits for room, and the others for him: a frame is not put
/// together before its turn has come. If the other side takes nothing for the send time while somebody waits, the connection
/// is closed, because nobody is there who wants it.
final class Outward {
  /// Beyond this a frame may have to wait for room, of which the writer has 64 KiB.
  private static final int AHEAD = 1 << 15;

  private final ByteStream stream;
  private final Duration sendTime;
  private final FrameWriter framer;
  private final Consumer<IOException> onGivenUp;
  private final Taken taken = new Taken();
  private final ByteWriter out;

  /// Of whoever waits for room.
  private final Mutex turn = new Mutex();

  private boolean isGivenUp;

  /// @param onGivenUp is told why, before the connection is closed because the other side takes nothing
  Outward(
      ByteStream stream, Duration sendTime, FrameWriter framer, Consumer<IOException> onGivenUp) {
    this.stream = stream;
    this.sendTime = sendTime;
    this.framer = framer;
    this.onGivenUp = onGivenUp;
    this.out = ByteWriter.of(taken);
  }

  /// A frame, after those before it.
  ///
  /// @throws SocketTimeoutException if the other side takes nothing
  void write(Frame frame) throws IOException {
    if (isFree(frame)) {
      out.write(framer, frame);
      return;
    }
    turn.lock();
    try {
      awaiting(() -> writeOrForget(frame));
    } finally {
      turn.unlock();
    }
  }

  /// A frame, if it need not wait; false if it would have to.
  boolean tryWrite(Frame frame) throws IOException {
    if (!isFree(frame)) {
      return false;
    }
    out.write(framer, frame);
    return true;
  }

  /// A frame, for as long as the caller wants to wait.
  void writeLast(Frame frame) throws IOException {
    turn.lock();
    try {
      writeOrForget(frame);
    } finally {
      turn.unlock();
    }
  }

  /// Waits until the kernel has it all.
  ///
  /// @throws SocketTimeoutException if the other side takes nothing
  void flush() throws IOException {
    awaiting(out::flush);
  }

  /// Waits until the kernel has it all, for as long as the caller wants to.
  void flushLast() throws IOException {
    out.flush();
  }

  private boolean isFree(Frame frame) {
    int pending = out.pending();
    return !turn.isLocked() && (pending == 0 || pending + (long) frame.payload().length <= AHEAD);
  }

  /// A frame that does not get its room was put together all the same, and those behind it must not refer to it.
  private void writeOrForget(Frame frame) throws IOException {
    try {
      out.write(framer, frame);
    } catch (Throwable left) {
      framer.forget(frame);
      throw left;
    }
  }

  /// Does it, again and again, until it is done or nothing was taken for the send time.
  private void awaiting(Action body) throws IOException {
    while (true) {
      long before = taken.bytes();
      try {
        Time.timeout(sendTime, body);
        return;
      } catch (TimeoutException over) {
        if (taken.bytes() == before) {
          throw giveUp();
        }
      } catch (IOException failed) {
        throw isGivenUp ? tooLate() : failed;
      } catch (RuntimeException failed) {
        throw failed;
      } catch (Exception impossible) {
        throw new AssertionError(impossible);
      }
    }
  }

  private SocketTimeoutException giveUp() {
    SocketTimeoutException why = tooLate();
    if (!isGivenUp) {
      isGivenUp = true;
      onGivenUp.accept(why);
      stream.close();
    }
    return why;
  }

  private SocketTimeoutException tooLate() {
    return new SocketTimeoutException(stream + " has taken nothing for " + sendTime);
  }

  @Override
  public String toString() {
    return stream.toString();
  }

  /// The stream, as something that counts what it has taken.
  private final class Taken implements ByteSink {
    private long before;
    private ByteBuffer @Nullable [] now;
    private long left;

    /// That were taken, also of what is being written.
    long bytes() {
      return before + (now == null ? 0 : left - remaining(now));
    }

    @Override
    public void write(ByteBuffer... from) throws IOException {
      now = from;
      left = remaining(from);
      try {
        stream.write(from);
      } finally {
        before += left - remaining(from);
        now = null;
      }
    }

    @Override
    public int tryWrite(ByteBuffer from) throws IOException {
      int count = stream.tryWrite(from);
      before += count;
      return count;
    }

    private static long remaining(ByteBuffer... buffers) {
      long sum = 0;
      for (ByteBuffer buffer : buffers) {
        sum += buffer.remaining();
      }
      return sum;
    }

    @Override
    public String toString() {
      return stream.toString();
    }
  }
}
