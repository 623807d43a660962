// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

import dev.couv.http.WebSocketException;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Compresses and decompresses the messages of one socket (RFC 7692), with the JDK's zlib.
///
/// ## Memory
///
/// A deflater is 256 KiB outside of the heap. A direction that keeps no context between messages borrows one for each
/// message, from a few that all sockets share, so that an idle socket has none.
final class Deflate {
  /// What ends every message, and is not sent.
  private static final byte[] TAIL = {0, 0, -1, -1};

  private static final Shared<Deflater> DEFLATERS =
      new Shared<>(() -> new Deflater(Deflater.DEFAULT_COMPRESSION, true));
  private static final Shared<Inflater> INFLATERS = new Shared<>(() -> new Inflater(true));

  private final boolean keepsOut;
  private final boolean keepsIn;
  private @Nullable Deflater deflater;
  private @Nullable Inflater inflater;
  private boolean ended;

  /// @param keepsOut whether what is sent refers to messages before it
  /// @param keepsIn whether what comes may
  Deflate(boolean keepsOut, boolean keepsIn) {
    this.keepsOut = keepsOut;
    this.keepsIn = keepsIn;
  }

  /// A few that are not in use.
  private static final class Shared<T> {
    private static final int MOST = 8;

    private final Supplier<T> maker;
    private final Queue<T> free = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    Shared(Supplier<T> maker) {
      this.maker = maker;
    }

    T take() {
      T one = free.poll();
      if (one == null) {
        return maker.get();
      }
      count.decrementAndGet();
      return one;
    }

    /// False if there are enough: then it is the caller's to end.
    boolean give(T one) {
      if (count.get() >= MOST) {
        return false;
      }
      count.incrementAndGet();
      free.add(one);
      return true;
    }
  }

  // ---- out

  /// The message compressed, in the first bytes of an array; how many of them is in `size`.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Compressed(byte[] bytes, int size) {}

  /// What must be sent next: the next message may refer to it.
  Compressed deflate(byte[] message) {
    Deflater deflating = deflater;
    if (deflating == null) {
      deflating = DEFLATERS.take();
    }
    deflater = deflating;
    try {
      deflating.setInput(message);
      byte[] out = new byte[message.length / 2 + 64];
      int size = 0;
      while (true) {
        size += deflating.deflate(out, size, out.length - size, Deflater.SYNC_FLUSH);
        if (size < out.length) {
          break;
        }
        out = Arrays.copyOf(out, 2 * out.length);
      }
      return new Compressed(out, size - TAIL.length);
    } catch (Throwable failed) {
      deflating.reset(); // nothing of this was sent: the next message begins anew
      throw failed;
    } finally {
      if (!keepsOut) {
        giveBackDeflater();
      }
    }
  }

  /// The last message was not sent: what comes next must not refer to it.
  void forget() {
    Deflater kept = deflater;
    if (kept != null) {
      kept.reset();
    }
  }

  private void giveBackDeflater() {
    Deflater used = deflater;
    deflater = null;
    if (used != null) {
      used.reset();
      if (!DEFLATERS.give(used)) {
        used.end();
      }
    }
  }

  // ---- in

  /// The message as it was, of no more than that many bytes.
  byte[] inflate(byte[] message, int limit) throws WebSocketException {
    if (ended) {
      throw new WebSocketException(CloseCodes.ABNORMAL, "closed");
    }
    Inflater inflating = inflater;
    if (inflating == null) {
      inflating = INFLATERS.take();
    }
    inflater = inflating;
    try {
      byte[] out = new byte[(int) Math.min(Math.max(64L, 4L * message.length), limit + 1L)];
      int size = inflate(inflating, message, out, 0, limit);
      out = inflated;
      size = inflate(inflating, TAIL, out, size, limit);
      return Arrays.copyOf(inflated, size);
    } catch (DataFormatException wrong) {
      throw new WebSocketException(CloseCodes.NOT_UTF8, "not compressed: " + wrong.getMessage());
    } finally {
      inflated = NOTHING;
      if (!keepsIn) {
        giveBackInflater();
      }
    }
  }

  private static final byte[] NOTHING = {};

  /// What [#inflate] has put its bytes into, which may be larger than what it was given.
  private byte[] inflated = NOTHING;

  private int inflate(Inflater inflating, byte[] in, byte[] into, int from, int limit)
      throws DataFormatException, WebSocketException {
    byte[] out = into;
    int size = from;
    inflating.setInput(in);
    while (true) {
      int count = inflating.inflate(out, size, out.length - size);
      size += count;
      if (size > limit) {
        throw new WebSocketException(
            CloseCodes.TOO_LARGE, "a message of more than " + limit + " bytes");
      }
      if (inflating.needsDictionary()) {
        throw new DataFormatException("needs a dictionary");
      }
      if (inflating.finished()) {
        // A last block ends no message: another stream may begin behind it.
        int rest = inflating.getRemaining();
        inflating.reset();
        inflating.setInput(in, in.length - rest, rest);
        if (rest == 0) {
          break;
        }
      } else if (size == out.length) {
        out = Arrays.copyOf(out, (int) Math.min(2L * out.length + 64, limit + 1L));
      } else if (count == 0 || inflating.needsInput()) {
        break;
      }
    }
    inflated = out;
    return size;
  }

  private void giveBackInflater() {
    Inflater used = inflater;
    inflater = null;
    if (used != null) {
      used.reset();
      if (!INFLATERS.give(used)) {
        used.end();
      }
    }
  }

  /// Nothing more is compressed or decompressed.
  void end() {
    ended = true;
    giveBackDeflater();
    giveBackInflater();
  }
}
