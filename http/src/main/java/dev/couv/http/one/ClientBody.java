// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.Headers;
import dev.couv.http.HttpBody;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The body of an answer. One of a known length is counted, chunks are the decoder's business, and one that says nothing
/// ends with the connection.
final class ClientBody implements HttpBody {
  private final ClientLink link;
  private final Kind kind;
  private final long length;
  private final Duration idle;
  private final Deadline deadline;
  private final List<Object> parts = new ArrayList<>(2);

  /// Is told once whether all of it was read, and the connection is where the next answer begins.
  private final Consumer<Boolean> onEnd;

  private State state = State.COMING;
  private long taken;
  private Headers trailers = Headers.EMPTY;

  /// Bytes of a chunk, which are still in the array of what came in.
  private @Nullable HttpContent chunk;

  private enum Kind {
    COUNTED,
    CHUNKS,
    TO_THE_END
  }

  private enum State {
    COMING,
    /// All of it has come, and perhaps not all was taken.
    ENDED,
    /// It was torn or malformed, or took too long.
    FAILED,
    /// Nobody wants the rest.
    LEFT
  }

  ClientBody(
      ClientLink link,
      ResponseHead head,
      Duration idle,
      Deadline deadline,
      Consumer<Boolean> onEnd) {
    this.link = link;
    this.idle = idle;
    this.deadline = deadline;
    this.onEnd = onEnd;
    String counted = head.headers().get(KnownNames.CONTENT_LENGTH);
    if (head.headers().contains(KnownNames.TRANSFER_ENCODING)) {
      this.kind = Kind.CHUNKS;
      this.length = -1;
    } else if (counted != null) {
      this.kind = Kind.COUNTED;
      this.length = Long.parseLong(counted); // Netty has looked at it
      link.decoder().reset();
    } else {
      this.kind = Kind.TO_THE_END;
      this.length = -1;
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public Headers trailers() {
    return state == State.ENDED ? trailers : Headers.EMPTY;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (!into.hasRemaining()) {
      return 0;
    }
    switch (state) {
      case COMING -> {}
      case ENDED -> {
        return chunk == null ? -1 : takeChunk(into);
      }
      case FAILED -> throw new IOException("the answer has failed before");
      case LEFT -> throw new ClosedChannelException();
    }
    try {
      return switch (kind) {
        case COUNTED -> readCounted(into);
        case CHUNKS -> readChunk(into);
        case TO_THE_END -> readToTheEnd(into);
      };
    } catch (IOException failed) {
      if (state == State.COMING) {
        end(State.FAILED, false);
      }
      throw failed;
    }
  }

  private int readCounted(ByteBuffer into) throws IOException {
    Inflow in = link.in();
    if (in.isEmpty() && !fill()) {
      throw new EOFException((length - taken) + " bytes of the answer are missing");
    }
    int count = in.take(into, length - taken);
    taken += count;
    if (taken == length) {
      end(State.ENDED, true);
    }
    return count;
  }

  private int readToTheEnd(ByteBuffer into) throws IOException {
    Inflow in = link.in();
    if (in.isEmpty() && !fill()) {
      end(State.ENDED, false);
      return -1;
    }
    return in.take(into, Long.MAX_VALUE);
  }

  private int readChunk(ByteBuffer into) throws IOException {
    while (chunk == null) {
      if (state == State.ENDED) {
        return -1;
      }
      decode();
    }
    return takeChunk(into);
  }

  private int takeChunk(ByteBuffer into) {
    HttpContent here = chunk;
    if (here == null) {
      return -1;
    }
    ByteBuf bytes = here.content();
    int count = Math.min(into.remaining(), bytes.readableBytes());
    bytes.readBytes(into.slice(into.position(), count));
    into.position(into.position() + count);
    if (!bytes.isReadable()) {
      dropChunk();
    }
    return count;
  }

  /// Takes the next part of it, and waits for that if need be.
  private void decode() throws IOException {
    while (!decodeHere()) {
      if (!fill()) {
        throw new EOFException("the last chunk of the answer is missing");
      }
    }
  }

  /// Takes the next part of it; false if that is not here yet.
  private boolean decodeHere() throws ProtocolException {
    Inflow in = link.in();
    parts.clear();
    if (!in.isEmpty()) {
      link.decoder().next(in.bytes(), parts);
    }
    for (Object part : parts) {
      HttpContent content = (HttpContent) part;
      if (content.content().isReadable()) {
        chunk = content;
      }
      if (content instanceof LastHttpContent last) {
        if (last.trailingHeaders() instanceof FieldList fields) {
          trailers = fields.headers();
        }
        end(State.ENDED, true);
      }
    }
    return !parts.isEmpty();
  }

  /// Waits for bytes, for as long as that may take; false at the end of the connection.
  private boolean fill() throws IOException {
    return deadline.limit(idle, "the next bytes of the answer", link.in()::fill);
  }

  private void end(State how, boolean whole) {
    state = how;
    onEnd.accept(whole);
  }

  /// Nobody reads the rest. What is here already is skipped; if more is to come, the connection is of no more use.
  void leave() {
    if (state != State.COMING) {
      return;
    }
    switch (kind) {
      case COUNTED -> {
        boolean here = length - taken <= link.in().size();
        if (here) {
          link.in().skip(length - taken);
        }
        end(State.LEFT, here);
      }
      case CHUNKS -> leaveChunks();
      case TO_THE_END -> end(State.LEFT, false);
    }
  }

  private void leaveChunks() {
    try {
      do {
        dropChunk();
      } while (state == State.COMING && decodeHere());
    } catch (ProtocolException malformed) {
      // then there is no end of it
    }
    if (state == State.COMING) {
      end(State.LEFT, false);
    } else {
      state = State.LEFT;
    }
  }

  private void dropChunk() {
    HttpContent here = chunk;
    if (here != null) {
      here.release();
      chunk = null;
    }
  }
}
