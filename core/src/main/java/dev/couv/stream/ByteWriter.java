// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.Operation;
import dev.couv.loop.Turns;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Deputy;
import dev.couv.strand.Suspension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Puts a stream's bytes together: numbers, text, frames of a [Framer], as many as one likes, in one write.
///
/// ```java
/// ByteWriter out = ByteWriter.of(stream);
/// out.writeInt(body.length);
/// out.write(body);
/// ```
///
/// What was written goes to the kernel at the end of the turn, when the coroutines that can run have run: so the answers
/// to a hundred requests that came together are one system call, and none waits for a timer. [#flush] does it at
/// once, and waits until the kernel has it: so does whoever wants to close the stream, and who wants to know whether
/// it worked. A failure of what was written at the end of a turn is thrown by the next call.
///
/// A writer that is ahead of the kernel by 64 KiB waits. Coroutines that share one take turns in the order they came.
/// Whoever is cancelled while he waits has written all of what he gave, or none: a frame is never torn. Only a buffer
/// that is too large to be held ([#write(ByteBuffer)]) tells by its position how far it came.
public final class ByteWriter {
  /// What is held at most before a writer waits.
  private static final int FULL = 1 << 16;

  /// A piece of this size is not copied.
  private static final int LARGE = 1 << 14;

  private final ByteSink stream;
  private final Deputy deputy;
  private final PendingBytes pending = new PendingBytes();
  private final Turns turns = new Turns(this);
  private final Flusher flusher = new Flusher();

  private FlushState flush = FlushState.NOBODY;

  /// Frames that are being written, one inside another: nothing of them is given away, and nobody waits.
  private int frames;

  /// Of a write that nobody waited for.
  private @Nullable IOException failure;

  private ByteWriter(ByteSink stream, Deputy deputy) {
    this.stream = stream;
    this.deputy = deputy;
  }

  /// A writer of that stream, which stays its owner's: flush before it is closed. If the kernel does not take all of
  /// it at the end of a turn, a coroutine of the caller's scope waits until it does.
  public static ByteWriter of(ByteSink stream) {
    Objects.requireNonNull(stream, "stream");
    return new ByteWriter(stream, Deputy.of("ByteWriter.of"));
  }

  /// In which order the bytes of a number go; returns itself. The highest first, as in most protocols, unless it is
  /// told.
  public ByteWriter order(ByteOrder order) {
    pending.order(order);
    return this;
  }

  /// How many bytes were written here and are not with the kernel yet.
  public int pending() {
    return pending.size();
  }

  // ---- numbers

  /// The lowest eight bits.
  public void writeByte(int value) throws IOException {
    room(1).put((byte) value);
  }

  /// The lowest sixteen bits.
  public void writeShort(int value) throws IOException {
    room(2).putShort((short) value);
  }

  /// A number of four bytes.
  public void writeInt(int value) throws IOException {
    room(4).putInt(value);
  }

  /// A number of eight bytes.
  public void writeLong(long value) throws IOException {
    room(8).putLong(value);
  }

  /// A floating-point number of four bytes.
  public void writeFloat(float value) throws IOException {
    writeInt(Float.floatToIntBits(value));
  }

  /// A floating-point number of eight bytes.
  public void writeDouble(double value) throws IOException {
    writeLong(Double.doubleToLongBits(value));
  }

  // ---- pieces

  /// All of the array.
  public void write(byte... bytes) throws IOException {
    write(bytes, 0, bytes.length);
  }

  /// A part of the array.
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    room(length).put(bytes, offset, length);
  }

  /// All of the buffer. One that is large is not copied, but written behind all that is held, and this waits for it.
  public void write(ByteBuffer bytes) throws IOException {
    UserBuffers.checkSources(bytes);
    if (bytes.remaining() < LARGE || frames > 0) {
      room(bytes.remaining()).put(bytes);
    } else {
      flush(bytes);
    }
  }

  /// Text, in UTF-8.
  public void write(String text) throws IOException {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  /// A frame that begins with its length, a number of one, two, three, four or eight bytes.
  ///
  /// @throws IllegalArgumentException if such a number cannot be so large
  public void writeFrame(int lengthBytes, byte... frame) throws IOException {
    ByteReader.checkLengthBytes(lengthBytes);
    if (lengthBytes < 4 && frame.length >>> (8 * lengthBytes) != 0) {
      throw new IllegalArgumentException(
          "a frame of " + frame.length + " bytes, whose length is to have " + lengthBytes);
    }
    ByteBuffer room = room(lengthBytes + frame.length);
    switch (lengthBytes) {
      case 1 -> room.put((byte) frame.length);
      case 2 -> room.putShort((short) frame.length);
      case 3 -> {
        boolean big = room.order() == ByteOrder.BIG_ENDIAN;
        room.put((byte) (big ? frame.length >> 16 : frame.length));
        room.put((byte) (frame.length >> 8));
        room.put((byte) (big ? frame.length : frame.length >> 16));
      }
      case 4 -> room.putInt(frame.length);
      default -> room.putLong(frame.length);
    }
    room.put(frame);
  }

  /// A frame of that protocol: all of it, or, if its framer throws, nothing.
  public <F> void write(Framer<F> framer, F frame) throws IOException {
    room(0);
    int mark = pending.mark();
    frames++;
    try {
      framer.encode(frame, this);
    } catch (Throwable thrown) {
      pending.reset(mark);
      throw thrown;
    } finally {
      frames--;
    }
  }

  // ---- flushing

  /// Writes all that is held, and waits until the kernel has it.
  public void flush() throws IOException {
    if (frames > 0) {
      throw new IllegalStateException("a frame is written as a whole: it cannot be flushed inside");
    }
    flush(null);
  }

  /// All that was held when this was called, and the large piece behind it.
  private void flush(@Nullable ByteBuffer large) throws IOException {
    rethrow();
    long goal = pending.accepted();
    Operation turn = turns.take("flush");
    if (turn != null) {
      Suspension.await(turn);
    }
    try {
      if (large == null) {
        while (pending.sent() < goal) {
          deliver(pending.out());
        }
      } else {
        deliver(pending.out(), large);
      }
    } finally {
      turns.pass();
      if (pending.size() > 0) {
        arm(); // it was left, or others have written meanwhile
      }
    }
  }

  private void deliver(ByteBuffer... buffers) throws IOException {
    ByteBuffer held = buffers[0];
    int start = held.position();
    try {
      stream.write(buffers);
    } finally {
      pending.gone(held.position() - start);
    }
  }

  private ByteBuffer room(int count) throws IOException {
    rethrow();
    if (frames == 0 && pending.size() + (long) count > FULL && pending.size() > 0) {
      flush(null);
    }
    arm();
    return pending.room(count);
  }

  private void arm() {
    if (flush == FlushState.NOBODY) {
      Suspension.atTurnEnd("write", flusher);
      flush = flush.armed();
    }
  }

  /// What happens when nobody flushes. Made with the writer: the loop's thread links nothing.
  private final class Flusher implements Runnable, Callable<@Nullable Object> {
    /// The turn has ended. On the loop's thread: nothing waits, nothing is thrown.
    @Override
    public void run() {
      try {
        boolean free = turns.isFree();
        if (free && pending.size() > 0) {
          pending.gone(stream.tryWrite(pending.out()));
        }
        if (!free || pending.size() == 0) {
          flush = flush.written(); // who flushes now sees to what comes behind him
        } else {
          flush = flush.stalled();
          deputy.begin("flush", this);
        }
      } catch (IOException failed) {
        failed(failed);
      } catch (RuntimeException refused) {
        failed(new IOException("what was written could not be flushed", refused));
      }
    }

    /// The kernel did not take all of it: waits until it does. A coroutine.
    @Override
    public @Nullable Object call() {
      try {
        flush(null);
      } catch (IOException failed) {
        failed(failed);
      } finally {
        flush = flush.drained();
      }
      return null;
    }
  }

  private void failed(IOException thrown) {
    failure = thrown;
    flush = flush.drained();
    pending.drop();
  }

  private void rethrow() throws IOException {
    IOException thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
  }

  @Override
  public String toString() {
    return "writer of " + stream;
  }
}
