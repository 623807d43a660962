// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.UserBuffers;
import dev.couv.strand.Deputy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
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
/// it worked. A failure of what was written at the end of a turn is thrown by every later call.
///
/// A writer that is ahead of the kernel by 64 KiB waits. Coroutines that share one are served in the order they came.
/// Whoever is cancelled while he waits has written nothing: a frame is never torn. Only a buffer that is too large to be
/// held ([#write(ByteBuffer)]) tells by its position how far it came.
public final class ByteWriter {
  /// A buffer of this size is not copied.
  private static final int LARGE = 1 << 14;

  private final PendingBytes pending;

  /// Null if it writes a frame: that goes nowhere before it is whole.
  private final @Nullable Outflow outflow;

  /// The writer of the next frame; null while somebody has it.
  private @Nullable ByteWriter spare;

  /// Whether somebody may write to it: of a frame, until its framer has returned.
  private boolean inUse;

  private ByteWriter(PendingBytes pending, @Nullable Outflow outflow) {
    this.pending = pending;
    this.outflow = outflow;
    this.inUse = outflow != null;
  }

  /// A writer of that stream, which stays its owner's: flush before it is closed. If the kernel does not take all of
  /// it at the end of a turn, a coroutine of the loop's own waits until it does.
  public static ByteWriter of(ByteSink stream) {
    Objects.requireNonNull(stream, "stream");
    PendingBytes pending = new PendingBytes();
    return new ByteWriter(pending, new Outflow(stream, pending, Deputy.of("ByteWriter.of")));
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

  /// All of the buffer. One that is large is not copied, but written when all that came before is gone, and this waits
  /// for it.
  public void write(ByteBuffer bytes) throws IOException {
    UserBuffers.checkSources(bytes);
    if (bytes.remaining() < LARGE || outflow == null) {
      room(bytes.remaining()).put(bytes);
    } else {
      outflow.through(bytes);
    }
  }

  /// Text, in UTF-8.
  public void write(String text) throws IOException {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  /// A number in decimal digits, as protocols have it that are text.
  public void writeDecimal(long value) throws IOException {
    int length = Decimal.length(value);
    Decimal.put(room(length), value, length);
  }

  /// A frame that begins with its length, a number of one, two, three, four or eight bytes.
  ///
  /// @throws IllegalArgumentException if such a number cannot be so large
  public void writeFrame(int lengthBytes, byte... frame) throws IOException {
    LengthPrefix.checkFits(frame.length, lengthBytes);
    ByteBuffer room = room(Math.addExact(lengthBytes, frame.length));
    LengthPrefix.put(room, frame.length, lengthBytes);
    room.put(frame);
  }

  /// A frame of that protocol: all of it, or, if its framer throws, nothing.
  public <F> void write(Framer<F> framer, F frame) throws IOException {
    if (outflow == null) {
      writeInside(framer, frame);
      return;
    }
    ByteWriter whole = lend();
    try {
      framer.encode(frame, whole);
      ByteBuffer bytes = whole.pending.out();
      room(bytes.remaining()).put(bytes);
    } finally {
      takeBack(whole);
    }
  }

  private <F> void writeInside(Framer<F> framer, F frame) throws IOException {
    int mark = pending.size();
    try {
      framer.encode(frame, this);
    } catch (Throwable thrown) {
      pending.reset(mark);
      throw thrown;
    }
  }

  /// A writer for one frame: a framer may be parked, and another begin meanwhile.
  private ByteWriter lend() {
    ByteWriter lent = spare == null ? new ByteWriter(new PendingBytes(), null) : spare;
    spare = null;
    lent.pending.order(pending.order());
    lent.inUse = true;
    return lent;
  }

  private void takeBack(ByteWriter lent) {
    lent.inUse = false;
    lent.pending.drop();
    spare = lent;
  }

  /// Writes all that is held, and waits until the kernel has it.
  ///
  /// @throws IllegalStateException in a frame, which is written as a whole
  public void flush() throws IOException {
    if (outflow == null) {
      throw new IllegalStateException("a frame is written as a whole: it cannot be flushed inside");
    }
    outflow.flush();
  }

  /// Likewise, before the stream is closed: who was told of a failure is not told again.
  void finish() throws IOException {
    if (outflow != null) {
      outflow.finish();
    }
  }

  private ByteBuffer room(int count) throws IOException {
    if (outflow != null) {
      outflow.admit(count);
    } else if (!inUse) {
      throw new IllegalStateException("the frame that this was for is written");
    }
    return pending.room(count);
  }

  @Override
  public String toString() {
    return outflow == null ? "writer of a frame" : "writer of " + outflow;
  }
}
