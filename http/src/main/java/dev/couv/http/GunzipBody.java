// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.http.one.ClientConnection;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// A body that came compressed (RFC 1952), as it was before, and no more of it than is allowed.
///
/// It waits in [#fill] alone, between two bytes: so whoever leaves a read has lost nothing. `GZIPInputStream` would have lost what it
/// had seen of a head or a trailer.
///
/// What is below holds the connection, and ends later than this one, or not at all: where this one is over, the rest of it is left.
final class GunzipBody implements HttpBody {
  /// What may follow the compressed bytes, which is nobody's.
  private static final int BEHIND = 1 << 10;

  /// So many compressed bytes may come behind each other that are none of the body: heads with long names, members that are empty.
  private static final int SILENT = 1 << 16;

  /// What is decompressed at a time.
  private static final int PIECE = 1 << 13;

  /// Of a member: a checksum and a length.
  private static final int TRAILER = 8;

  private final HttpBody raw;
  private final long limit;
  private final CRC32 check = new CRC32();

  /// The compressed bytes that came and were not looked at.
  private final ByteBuffer in = ByteBuffer.allocate(1 << 12).limit(0);

  private GzipHead head = new GzipHead();

  /// From the first member on, until nothing more is read.
  private @Nullable Inflater inflater;

  private long trailer;
  private int trailerSize;

  /// How much of what follows was seen.
  private int behind;

  /// How many compressed bytes came since the last byte of the body.
  private int silent;

  private long taken;
  private State state = State.HEAD;

  private enum State {
    /// The head of a member comes.
    HEAD,
    COMING,
    /// What is behind the bytes of a member.
    TRAILER,
    /// A member has ended: another may follow, or padding, or nothing.
    BEHIND,
    ENDED,
    /// It was torn, malformed or too large, or left.
    OVER
  }

  GunzipBody(HttpBody raw, long limit) {
    this.raw = raw;
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
    try {
      while (true) {
        switch (state) {
          case HEAD -> takeHead();
          case COMING -> {
            int count = inflate(into);
            if (count > 0) {
              return count;
            }
          }
          case TRAILER -> takeTrailer();
          case BEHIND -> lookBehind();
          case ENDED -> {
            return -1;
          }
          case OVER -> throw new ClosedChannelException();
        }
        if (!in.hasRemaining() && state != State.ENDED) {
          fill();
        }
      }
    } catch (IOException failed) {
      end();
      throw failed;
    }
  }

  /// Waits for more compressed bytes. A server that sends ever more of them, and nothing that they are, is not read for ever.
  private void fill() throws IOException {
    if (silent > SILENT) {
      throw new IOException(
          "an answer with more than " + SILENT + " compressed bytes that are nothing");
    }
    // Meanwhile there is nothing here: a second reader gets as far as this, where he is refused.
    int count = raw.read(in.duplicate().clear());
    if (count >= 0) {
      in.position(0).limit(count);
      silent += count;
    } else if (state == State.BEHIND) {
      finish();
    } else {
      throw new EOFException("the end of the compressed bytes is missing");
    }
  }

  private void takeHead() throws ZipException {
    while (in.hasRemaining()) {
      if (head.take(in.get() & 0xff)) {
        beginMember();
        return;
      }
    }
  }

  private void beginMember() {
    Inflater member = inflater;
    if (member == null) {
      member = new Inflater(true);
      inflater = member;
    }
    member.reset();
    member.setInput(in); // whose position it moves
    check.reset();
    trailer = 0;
    trailerSize = 0;
    state = State.COMING;
  }

  /// How many bytes were put into the buffer; 0 if that needs more input, or the member is at its end.
  private int inflate(ByteBuffer into) throws IOException {
    Inflater member = inflater();
    ByteBuffer piece = into.slice(into.position(), Math.min(into.remaining(), PIECE));
    int count;
    try {
      count = member.inflate(piece);
    } catch (DataFormatException malformed) {
      throw new ZipException(malformed.getMessage());
    }
    if (count > 0) {
      silent = 0;
      taken += count;
      if (taken > limit) {
        throw new IOException("an answer of more than " + limit + " bytes, decompressed");
      }
      check.update(piece.flip());
      into.position(into.position() + count);
    } else if (member.finished()) {
      state = State.TRAILER;
    } else if (member.needsDictionary()) {
      throw new ZipException("compressed with a dictionary");
    }
    return count;
  }

  private void takeTrailer() throws ZipException {
    while (in.hasRemaining() && trailerSize < TRAILER) {
      trailer |= (in.get() & 0xffL) << (8 * trailerSize++);
    }
    if (trailerSize == TRAILER) {
      long size = inflater().getBytesWritten();
      if ((int) trailer != (int) check.getValue() || (int) (trailer >>> 32) != (int) size) {
        throw new ZipException("the checksum or the length is another");
      }
      state = State.BEHIND;
    }
  }

  /// The connection is where the next answer begins only when the end of the body was seen.
  private void lookBehind() {
    if (behind == 0 && in.hasRemaining() && in.get(in.position()) == GzipHead.FIRST) {
      head = new GzipHead();
      state = State.HEAD;
      return;
    }
    behind += in.remaining();
    in.position(in.limit());
    if (behind >= BEHIND) {
      finish();
    }
  }

  private Inflater inflater() {
    Inflater member = inflater;
    if (member == null) {
      throw new AssertionError("no member in " + state);
    }
    return member;
  }

  private void finish() {
    end();
    state = State.ENDED;
  }

  /// Nothing more is read; frees what the decompression holds, and leaves what is below. Does nothing the second time.
  void end() {
    state = State.OVER;
    Inflater member = inflater;
    inflater = null;
    if (member != null) {
      member.end();
    }
    ClientConnection.leave(raw);
  }
}
