// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.UserBuffers;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Takes a stream's bytes apart: numbers, lines, pieces of a known length or up to a delimiter, frames of a [Framer].
///
/// ```java
/// ByteReader in = ByteReader.of(stream).limit(64 << 10);
/// int length = in.readInt();
/// byte[] body = in.readBytes(length);
/// ```
///
/// It reads as much as has come, and holds what is not asked for yet: whoever reads the stream beside it misses that,
/// unless it was [given back][#giveBack]. Nothing that is asked for as a whole may have more bytes than the
/// [limit][#limit]: a peer must not fill the memory.
///
/// Every method that reads waits for what it needs. Whoever leaves one early, cancelled or because the stream failed or
/// ended, has taken nothing of it, but for [#skip] and [#readFully], which take what comes. One coroutine reads at a time; a second one gets a `BusyException`.
public final class ByteReader {
  /// What one thing may have unless [#limit] says otherwise: 1 MiB.
  public static final int DEFAULT_LIMIT = 1 << 20;

  private final ByteSource stream;
  private final HeldBytes held;
  private int limit = DEFAULT_LIMIT;

  private ByteReader(ByteSource stream) {
    this.stream = stream;
    this.held = new HeldBytes(stream);
  }

  /// A reader of that stream, which stays its owner's: closing the stream ends it.
  public static ByteReader of(ByteSource stream) {
    return new ByteReader(Objects.requireNonNull(stream, "stream"));
  }

  /// How many bytes one thing may have at most; returns itself. In a frame that is read by a [Framer], the whole
  /// frame.
  public ByteReader limit(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a limit of " + bytes + " bytes");
    }
    limit = Math.min(bytes, HeldBytes.LONGEST);
    return this;
  }

  /// In which order the bytes of a number come; returns itself. The highest first, as in most protocols, unless it is
  /// told.
  public ByteReader order(ByteOrder order) {
    held.order(order);
    return this;
  }

  // ---- looking

  /// How many bytes are here already and can be had without waiting.
  public int buffered() {
    return held.size();
  }

  /// Waits until so many bytes are here: false if the stream ends before. They are not taken.
  ///
  /// @throws FrameTooLongException if they are more than the limit
  public boolean request(int count) throws IOException {
    held.check();
    checkLimit(count, "a piece");
    return held.await(count);
  }

  /// The next byte, from 0 to 255, which is not taken; -1 at the end of the stream.
  public int peek() throws IOException {
    return request(1) ? held.bytes().get(held.first()) & 0xff : -1;
  }

  /// What is here already, to be looked at; [#skip] takes of it. It is true until the next call.
  public ByteBuffer peekBuffered() {
    held.check();
    return held.view();
  }

  // ---- numbers

  /// A byte, from -128 to 127.
  public byte readByte() throws IOException {
    return next(1).get();
  }

  /// A byte, from 0 to 255.
  public int readUnsignedByte() throws IOException {
    return readByte() & 0xff;
  }

  /// A number of two bytes.
  public short readShort() throws IOException {
    return next(2).getShort();
  }

  /// A number of two bytes without a sign.
  public int readUnsignedShort() throws IOException {
    return readShort() & 0xffff;
  }

  /// A number of four bytes.
  public int readInt() throws IOException {
    return next(4).getInt();
  }

  /// A number of four bytes without a sign.
  public long readUnsignedInt() throws IOException {
    return readInt() & 0xffff_ffffL;
  }

  /// A number of eight bytes.
  public long readLong() throws IOException {
    return next(8).getLong();
  }

  /// A floating-point number of four bytes.
  public float readFloat() throws IOException {
    return Float.intBitsToFloat(readInt());
  }

  /// A floating-point number of eight bytes.
  public double readDouble() throws IOException {
    return Double.longBitsToDouble(readLong());
  }

  // ---- pieces

  /// Reads exactly so many bytes.
  ///
  /// @throws EOFException if the stream ends before
  /// @throws FrameTooLongException if they are more than the limit
  public byte[] readBytes(int count) throws IOException {
    require(count);
    byte[] bytes = Arrays.copyOfRange(held.array(), held.offset(), held.offset() + count);
    held.take(count);
    return bytes;
  }

  /// Text of so many bytes, in UTF-8.
  ///
  /// @throws EOFException if the stream ends before
  /// @throws FrameTooLongException if they are more than the limit
  public String readText(int count) throws IOException {
    require(count);
    String text = new String(held.array(), held.offset(), count, StandardCharsets.UTF_8);
    held.take(count);
    return text;
  }

  /// What has come, as far as there is room for it, as [ByteSource#read(ByteBuffer)]: for a body that is not held as
  /// a whole.
  public int read(ByteBuffer into) throws IOException {
    UserBuffers.checkTarget(into);
    held.check();
    return readInto(into);
  }

  private int readInto(ByteBuffer into) throws IOException {
    if (held.size() == 0 && !held.isMarked()) {
      return stream.read(into);
    }
    if (held.size() == 0 && into.hasRemaining()) {
      checkLimit(1, "a piece");
      if (!held.await(1)) {
        return -1;
      }
    }
    int count = Math.min(into.remaining(), held.size());
    checkLimit(held.isMarked() ? count : 0, "a piece");
    into.put(held.array(), held.offset(), count);
    held.take(count);
    return count;
  }

  /// Fills the buffer.
  ///
  /// @throws EOFException if the stream ends before; what came is in the buffer
  public void readFully(ByteBuffer into) throws IOException {
    UserBuffers.checkTarget(into);
    held.check();
    while (into.hasRemaining()) {
      if (readInto(into) < 0) {
        throw ended(into.remaining());
      }
    }
  }

  /// Lets so many bytes go, any number outside of a frame. Whoever leaves it early has let go of what had come.
  ///
  /// @throws EOFException if the stream ends before
  /// @throws FrameTooLongException in a frame, if they are more than the limit
  public void skip(long count) throws IOException {
    checkCount(count);
    held.check();
    if (held.isMarked()) {
      checkLimit((int) Math.min(count, Integer.MAX_VALUE), "a piece");
    }
    long left = count;
    while (left > 0) {
      fill(1);
      int now = (int) Math.min(left, held.size());
      held.take(now);
      left -= now;
    }
  }

  /// What comes before the delimiter, which is taken and not part of it; null at the end of the stream.
  ///
  /// @throws EOFException if the stream ends before the delimiter
  /// @throws FrameTooLongException if the delimiter is not among the bytes of the limit
  public byte @Nullable [] readUntil(byte... delimiter) throws IOException {
    checkDelimiter(delimiter);
    held.check();
    int length = find(delimiter);
    if (length < 0) {
      return null;
    }
    byte[] bytes = Arrays.copyOfRange(held.array(), held.offset(), held.offset() + length);
    held.take(length + delimiter.length);
    return bytes;
  }

  /// A line of UTF-8 text, which ends with `\n` or `\r\n`, or with the stream; null at the end of the stream.
  ///
  /// @throws FrameTooLongException if it is longer than the limit
  public @Nullable String readLine() throws IOException {
    return readLine(StandardCharsets.UTF_8);
  }

  /// A line of text in an encoding where the byte 10 ends a line; null at the end of the stream.
  ///
  /// @throws FrameTooLongException if it is longer than the limit
  public @Nullable String readLine(Charset charset) throws IOException {
    int length = awaitLine();
    if (length < 0) {
      return null;
    }
    boolean ended = length < held.size();
    int text = ended && endsWithReturn(length) ? length - 1 : length;
    String line = new String(held.array(), held.offset(), text, charset);
    held.take(ended ? length + 1 : length);
    return line;
  }

  /// A line that is a number in decimal digits, perhaps behind a minus, as protocols have it that are text.
  ///
  /// @throws EOFException if the stream ends before
  /// @throws ProtocolException if it is no such number, or too large
  /// @throws FrameTooLongException if it is longer than the limit
  public long readDecimalLine() throws IOException {
    int length = awaitLine();
    if (length < 0 || length == held.size()) {
      throw new EOFException(stream + " ended before a line did");
    }
    int digits = endsWithReturn(length) ? length - 1 : length;
    long number = Decimal.get(held.bytes(), held.first(), digits);
    held.take(length + 1);
    return number;
  }

  /// A frame that begins with its length, a number of one, two, three, four or eight bytes without a sign.
  ///
  /// @throws EOFException if the stream ends in it
  /// @throws FrameTooLongException if the length is more than the limit
  public byte[] readFrame(int lengthBytes) throws IOException {
    LengthPrefix.check(lengthBytes);
    held.check();
    fill(lengthBytes);
    long length = LengthPrefix.get(held.bytes(), held.first(), lengthBytes);
    if (length < 0 || length > limit - held.taken()) {
      throw new FrameTooLongException(stream, "a frame", limit);
    }
    int whole = Math.addExact(lengthBytes, (int) length);
    fill(whole);
    int start = held.offset() + lengthBytes;
    byte[] frame = Arrays.copyOfRange(held.array(), start, start + (int) length);
    held.take(whole);
    return frame;
  }

  /// A frame of that protocol; null at the end of the stream.
  ///
  /// @throws EOFException if the stream ends in it
  /// @throws FrameTooLongException if it has more bytes than the limit
  public <F> @Nullable F read(Framer<F> framer) throws IOException {
    if (!request(1)) {
      return null;
    }
    int mark = held.mark();
    try {
      F frame = framer.decode(this);
      held.unmark();
      return frame;
    } catch (Throwable left) {
      held.rewind(mark);
      throw left;
    }
  }

  /// Puts what is held back into the stream: for somebody else who goes on reading it.
  public void giveBack() throws IOException {
    held.giveBack();
  }

  // ---- how

  private void require(int count) throws IOException {
    checkCount(count);
    held.check();
    checkLimit(count, "a piece");
    fill(count);
  }

  /// So many bytes, which are taken: to be read before anything else is.
  private ByteBuffer next(int count) throws IOException {
    require(count);
    return held.next(count);
  }

  private EOFException ended(int missing) {
    return new EOFException(stream + " ended " + missing + " bytes too early");
  }

  private void fill(int count) throws IOException {
    if (!held.await(count)) {
      throw ended(count - held.size());
    }
  }

  /// Waits for the delimiter: how many bytes are before it; -1 if the stream has ended.
  private int find(byte... delimiter) throws IOException {
    int from = 0;
    while (true) {
      int found = indexOf(delimiter, from);
      if (found >= 0) {
        checkLimit(found, "a piece");
        return found;
      }
      checkLimit(held.size() - delimiter.length + 1, "a piece");
      from = Math.max(0, held.size() - delimiter.length + 1);
      if (!held.fill(0)) {
        if (held.size() > 0) {
          throw new EOFException(stream + " ended before a delimiter");
        }
        return -1;
      }
    }
  }

  private int indexOf(byte[] delimiter, int from) {
    if (delimiter.length == 1) {
      return held.indexOf(delimiter[0]);
    }
    byte[] array = held.array();
    int offset = held.offset();
    for (int i = from; i <= held.size() - delimiter.length; i++) {
      if (Arrays.equals(
          array, offset + i, offset + i + delimiter.length, delimiter, 0, delimiter.length)) {
        return i;
      }
    }
    return -1;
  }

  /// Waits for a line: its length without `\n`; -1 if the stream has ended.
  int awaitLine() throws IOException {
    held.check();
    while (true) {
      int length = held.indexOf((byte) '\n');
      if (length >= 0) {
        checkLine(length);
        return length;
      }
      checkLine(held.size());
      if (!held.fill(0)) {
        length = held.size();
        checkLimit(length, "a line");
        return length == 0 ? -1 : length;
      }
    }
  }

  /// A `\r` at the end is not part of the line, if `\n` follows.
  private void checkLine(int length) throws FrameTooLongException {
    checkLimit(endsWithReturn(length) ? length - 1 : length, "a line");
  }

  private boolean endsWithReturn(int length) {
    return length > 0 && held.bytes().get(held.first() + length - 1) == '\r';
  }

  private void checkLimit(int count, String what) throws FrameTooLongException {
    if (count > limit - held.taken()) {
      throw new FrameTooLongException(stream, held.isMarked() ? "a frame" : what, limit);
    }
  }

  private static void checkCount(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("a negative number of bytes: " + count);
    }
  }

  static byte[] checkDelimiter(byte... delimiter) {
    if (delimiter.length == 0) {
      throw new IllegalArgumentException("a delimiter without a byte");
    }
    return delimiter;
  }

  @Override
  public String toString() {
    return "reader of " + stream;
  }
}
