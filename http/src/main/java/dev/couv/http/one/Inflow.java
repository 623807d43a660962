// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.stream.ByteStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;

/// What was read from a connection and not taken yet, in one array that the decoder reads in place.
///
/// ## Memory
///
/// A small array stays, so that small requests cost none. Who sends more at a time is read into what the stream makes for
/// what came, and holds nothing while nothing is here: a thousand idle connections are a thousand small arrays.
final class Inflow {
  /// An array of no more than this stays while it is empty.
  private static final int KEPT = 1 << 10;

  private static final int LARGEST_READ = 1 << 16;

  private final ByteStream stream;

  private byte[] array = new byte[KEPT];

  /// The same array, for the stream.
  private ByteBuffer room = ByteBuffer.wrap(array);

  /// The same array, for the decoder: what it has not taken is from its reader index to its writer index.
  private ByteBuf bytes = Unpooled.wrappedBuffer(array);

  /// How many bytes a read is expected to bring.
  private int expected = KEPT / 2;

  Inflow(ByteStream stream) {
    this.stream = stream;
    bytes.setIndex(0, 0);
  }

  int size() {
    return bytes.readableBytes();
  }

  boolean isEmpty() {
    return !bytes.isReadable();
  }

  /// For the decoder, which moves its reader index.
  ByteBuf bytes() {
    return bytes;
  }

  /// To be asked from `bytes().readerIndex()` on.
  byte[] array() {
    return array;
  }

  /// Takes up to so many bytes into the buffer.
  int take(ByteBuffer into, long most) {
    int count = (int) Math.min(Math.min(into.remaining(), size()), most);
    into.put(array, bytes.readerIndex(), count);
    bytes.skipBytes(count);
    return count;
  }

  /// Lets up to so many bytes go: how many that was.
  int skip(long most) {
    int count = (int) Math.min(size(), most);
    bytes.skipBytes(count);
    return count;
  }

  /// Waits for more behind what is here; false at the end of the stream. Who leaves early has lost nothing.
  boolean fill() throws IOException {
    if (isEmpty() && expected > KEPT) {
      return replace();
    }
    makeRoom();
    int end = bytes.writerIndex();
    int count = stream.read(room.clear().position(end));
    if (count < 0) {
      return false;
    }
    bytes.writerIndex(end + count);
    if (end + count == array.length) {
      expected = Math.min(2 * Math.max(expected, KEPT), LARGEST_READ);
    }
    return true;
  }

  private boolean replace() throws IOException {
    use(NOTHING, 0, 0);
    ByteBuffer more = stream.read();
    if (more == null) {
      return false;
    }
    int count = more.remaining();
    expected = (expected + count) / 2;
    if (more.hasArray()) {
      int start = more.arrayOffset() + more.position();
      use(more.array(), start, start + count);
    } else {
      byte[] copy = new byte[count];
      more.get(copy);
      use(copy, 0, count);
    }
    return true;
  }

  private static final byte[] NOTHING = new byte[0];

  /// There is free room behind what is held, perhaps in another array.
  private void makeRoom() {
    int size = size();
    if (size == 0 && array.length >= KEPT && array.length <= 4 * KEPT) {
      bytes.setIndex(0, 0);
      return;
    }
    if (bytes.writerIndex() < array.length && array.length >= KEPT) {
      return;
    }
    int start = bytes.readerIndex();
    int wanted = size == 0 ? KEPT : Math.max(KEPT, size + Math.max(size, expected));
    if (start > 0 && array.length >= KEPT && array.length - size >= size) {
      System.arraycopy(array, start, array, 0, size);
      bytes.setIndex(0, size);
    } else {
      byte[] larger = new byte[wanted];
      System.arraycopy(array, start, larger, 0, size);
      use(larger, 0, size);
    }
  }

  private void use(byte[] newArray, int start, int end) {
    array = newArray;
    room = ByteBuffer.wrap(newArray);
    bytes = newArray.length == 0 ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(newArray);
    bytes.setIndex(start, end);
  }

  /// Puts what is here back into the stream, for somebody else who goes on reading it.
  void giveBack() throws IOException {
    if (!isEmpty()) {
      stream.unread(ByteBuffer.wrap(array, bytes.readerIndex(), size()));
      bytes.skipBytes(size());
    }
  }
}
