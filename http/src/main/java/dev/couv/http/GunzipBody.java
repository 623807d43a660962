// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// A body that came compressed, as it was before, and no more of it than is allowed.
final class GunzipBody implements HttpBody {
  /// What may follow the compressed bytes, which is nobody's.
  private static final int BEHIND = 1 << 10;

  /// So many compressed bytes may come behind each other that are none of the body: heads with long names, members that are empty.
  private static final int SILENT = 1 << 16;

  private final HttpBody raw;
  private final Counted counted;
  private final long limit;
  private @Nullable GZIPInputStream in;
  private long taken;
  private State state = State.BEGINNING;

  private enum State {
    /// Nothing was read yet.
    BEGINNING,
    /// The head of the compressed bytes comes: who leaves now cannot go on.
    OPENING,
    COMING,
    ENDED,
    /// It was torn, malformed or too large, or left.
    OVER
  }

  GunzipBody(HttpBody raw, long limit) {
    this.raw = raw;
    this.counted = new Counted(raw.input());
    this.limit = limit;
  }

  @Override
  public long length() {
    return -1;
  }

  @Override
  public Headers trailers() {
    return raw.trailers();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (!into.hasRemaining()) {
      return 0;
    }
    switch (state) {
      case BEGINNING -> {
        state = State.OPENING;
        in = new GZIPInputStream(counted, 1 << 12);
        state = State.COMING;
      }
      case COMING -> {}
      case ENDED -> {
        return -1;
      }
      case OPENING, OVER -> throw new ClosedChannelException();
    }
    GZIPInputStream from = in;
    if (from == null) {
      throw new AssertionError("not open while it comes");
    }
    byte[] some = new byte[Math.min(into.remaining(), 1 << 13)];
    int count;
    try {
      count = from.read(some);
      counted.check(); // a failure in what might be another member is taken for the end
    } catch (IOException failed) {
      end();
      throw failed;
    }
    if (count < 0) {
      skipRest();
      end();
      state = State.ENDED;
      return -1;
    }
    counted.silent = 0;
    taken += count;
    if (taken > limit) {
      end();
      throw new IOException("an answer of more than " + limit + " bytes, decompressed");
    }
    into.put(some, 0, count);
    return count;
  }

  /// The connection is where the next answer begins only when the end of the body was seen.
  private void skipRest() throws IOException {
    ByteBuffer sink = ByteBuffer.allocate(BEHIND);
    while (sink.hasRemaining() && raw.read(sink) >= 0) {
      // padding
    }
  }

  /// Nothing more is read; frees what the decompression holds.
  void end() {
    state = State.OVER;
    GZIPInputStream from = in;
    in = null;
    if (from != null) {
      try {
        from.close();
      } catch (IOException impossible) {
        throw new AssertionError(impossible);
      }
    }
  }

  /// The compressed bytes. A server that sends ever more of them, and nothing that they are, is not read for ever.
  private static final class Counted extends FilterInputStream {
    /// How many came since the last byte of the body.
    int silent;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      check();
      int next = super.read();
      silent += next < 0 ? 0 : 1;
      return next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      check();
      int count = super.read(into, offset, length);
      silent += Math.max(count, 0);
      return count;
    }

    void check() throws IOException {
      if (silent > SILENT) {
        throw new IOException(
            "an answer with more than " + SILENT + " compressed bytes that are nothing");
      }
    }
  }
}
