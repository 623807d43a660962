// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.Headers;
import dev.couv.http.HttpLimits;
import dev.couv.http.serve.BodyPace;
import dev.couv.http.serve.ComingBody;
import dev.couv.http.serve.Refused;
import dev.couv.stream.ByteWriter;
import dev.couv.time.Time;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The body of a request, between its head and the next one's. One of a known length is counted; chunks are the decoder's
/// business.
final class IncomingBody implements ComingBody {
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Inflow in;
  private final ByteWriter out;
  private final HttpLimits limits;

  /// Of a chunked body; null for one of a known length.
  private final @Nullable RequestDecoder decoder;

  /// As it was announced; -1 for a chunked body.
  private final long length;

  private final List<Object> parts = new ArrayList<>(2);

  /// What a chunked body may have beside its bytes and its trailers: so much at all, for each piece, and for each byte.
  private static final long FRAMING = 1 << 14;

  private static final long FRAMING_OF_PIECE = 16;
  private static final long FRAMING_OF_BYTE = 2;

  private final BodyPace pace;
  private long taken;

  /// How many pieces of chunks have come, and all bytes of them, with what frames them.
  private long pieces;

  private long framed;

  private State state;
  private Headers trailers = Headers.EMPTY;

  /// Bytes of a chunk, which are still in the array of `in`.
  private @Nullable HttpContent chunk;

  /// Why it cannot be read to its end.
  private @Nullable IOException failure;

  /// Where a body is.
  private enum State {
    /// The client waits for a word before it sends it.
    EXPECTED,
    /// It comes.
    COMING,
    /// All of it was taken.
    ENDED,
    /// Its request was answered, or is being answered and the client was not asked for it: it is nobody's any more.
    GONE
  }

  private IncomingBody(
      Inflow in,
      ByteWriter out,
      HttpLimits limits,
      BodyPace pace,
      @Nullable RequestDecoder decoder,
      long length,
      boolean expected) {
    this.in = in;
    this.out = out;
    this.limits = limits;
    this.pace = pace;
    this.decoder = decoder;
    this.length = length;
    this.state = expected ? State.EXPECTED : State.COMING;
  }

  static IncomingBody ofLength(
      Inflow in, ByteWriter out, HttpLimits limits, BodyPace pace, long length, boolean expected) {
    return new IncomingBody(in, out, limits, pace, null, length, expected);
  }

  static IncomingBody chunked(
      Inflow in,
      ByteWriter out,
      HttpLimits limits,
      BodyPace pace,
      RequestDecoder decoder,
      boolean expected) {
    return new IncomingBody(in, out, limits, pace, decoder, -1, expected);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public Headers trailers() {
    return trailers;
  }

  /// What the client is to be told, because the body could not be read to its end; null if nothing is wrong.
  @Nullable Refused refusal() {
    if (failure instanceof EOFException) {
      return new Refused(400, "the connection has ended in the body");
    }
    return failure instanceof Refused refused ? refused : null;
  }

  @Override
  public @Nullable IOException failure() {
    return failure;
  }

  /// Whether all of it was read.
  boolean hasEnded() {
    return state == State.ENDED;
  }

  /// Whether the next request can come: this body was read, or can be skipped with little effort.
  boolean canBeSkipped() {
    return switch (state) {
      case ENDED -> true;
      case EXPECTED, GONE -> false;
      case COMING -> failure == null && (length < 0 || length - taken <= limits.skipped());
    };
  }

  /// The request was answered. Skips what is left; false if that is too much, and the connection has to be closed.
  boolean skip() throws IOException {
    if (state == State.COMING && failure == null) {
      long last = taken + limits.skipped();
      ByteBuffer sink = ByteBuffer.allocate(1 << 10);
      try {
        while (taken <= last && read(sink.clear()) >= 0) {
          // nobody wants it
        }
      } catch (Refused malformed) {
        return false;
      }
    }
    boolean ended = state == State.ENDED;
    state = State.GONE;
    return ended;
  }

  /// The answer begins. A word for a client that still waits for one would come in the middle of it, and the client does not
  /// wait any more: such a body does not come.
  void answerBegins() {
    if (state == State.EXPECTED) {
      state = State.GONE;
    }
  }

  /// The request was answered, and nobody is to read it any more.
  void gone() {
    state = State.GONE;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (!into.hasRemaining()) {
      return 0;
    }
    rethrow();
    switch (state) {
      case ENDED -> {
        return -1;
      }
      case GONE -> throw new IllegalStateException("the request was answered already");
      case EXPECTED -> invite();
      case COMING -> {}
    }
    try {
      return decoder == null ? readCounted(into) : readChunk(into);
    } catch (IOException failed) {
      failure = failed;
      throw failed;
    }
  }

  /// Tells a client that waits for a word to send it.
  void invite() throws IOException {
    if (state == State.EXPECTED) {
      state = State.COMING;
      out.write(CONTINUE);
    }
  }

  /// The same each time: it is told once where it came from.
  private void rethrow() throws IOException {
    IOException before = failure;
    if (before != null) {
      throw before;
    }
  }

  private int readCounted(ByteBuffer into) throws IOException {
    if (in.isEmpty()) {
      fill();
    }
    int count = in.take(into, length - taken);
    taken += count;
    if (taken == length) {
      state = State.ENDED;
    }
    return count;
  }

  private int readChunk(ByteBuffer into) throws IOException {
    while (true) {
      HttpContent here = chunk;
      if (here != null) {
        ByteBuf bytes = here.content();
        int count = Math.min(into.remaining(), bytes.readableBytes());
        ByteBuffer target = into.slice(into.position(), count);
        bytes.readBytes(target);
        into.position(into.position() + count);
        if (!bytes.isReadable()) {
          here.release();
          chunk = null;
        }
        return count;
      }
      if (state == State.ENDED) {
        return -1;
      }
      decode();
    }
  }

  /// Takes the next part of it, and waits for that if need be.
  private void decode() throws IOException {
    RequestDecoder chunks = decoder;
    if (chunks == null) {
      throw new AssertionError("no chunks");
    }
    parts.clear();
    while (true) {
      int before = in.bytes().readerIndex();
      chunks.next(in.array(), in.bytes(), parts);
      framed += in.bytes().readerIndex() - before;
      checkFraming();
      if (!parts.isEmpty()) {
        break;
      }
      fill();
    }
    for (Object part : parts) {
      HttpContent content = (HttpContent) part;
      if (content.content().isReadable()) {
        if (chunk != null) {
          throw new AssertionError("Netty's decoder gives one chunk at a time");
        }
        chunk = content;
        taken += content.content().readableBytes();
        pieces++;
      }
      if (content instanceof LastHttpContent last) {
        state = State.ENDED;
        if (last.trailingHeaders() instanceof FieldList fields) {
          trailers = fields.headers();
        }
      }
    }
    if (taken > limits.body()) {
      throw new Refused(413, "a body of more than " + limits.body() + " bytes");
    }
  }

  /// A chunk of a byte may have kilobytes of extensions, which nobody counts as a body.
  private void checkFraming() throws Refused {
    long most = FRAMING + limits.head() + FRAMING_OF_PIECE * (pieces + 1) + FRAMING_OF_BYTE * taken;
    long unseen = 0;
    for (Object part : parts) {
      unseen += ((HttpContent) part).content().readableBytes();
    }
    if (framed - unseen - taken > most) {
      throw new Refused(400, "chunks of which there is too little");
    }
  }

  /// Waits for bytes, for as long as that may take.
  private void fill() throws IOException {
    boolean more;
    long before = Time.nanos();
    try {
      more = Time.timeout(pace.patience(taken), in::fill);
    } catch (TimeoutException slow) {
      throw new Refused(408, "the body comes too slowly");
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    } finally {
      pace.waited(Time.nanos() - before); // who leaves it early has waited as well
    }
    if (!more) {
      throw new EOFException("the connection has ended in a body");
    }
  }
}
