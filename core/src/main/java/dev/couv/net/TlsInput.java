// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.error.UvException;
import dev.couv.loop.Failures;
import dev.couv.stream.ByteStream;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The half of a TLS stream that reads: records that arrived, and what is decrypted of them.
///
/// ## Memory
///
/// A stream that waits for its next record holds no buffer: what arrives comes in a buffer of its
/// size. The beginning of a record that did not come whole moves to a buffer of the pool, and only
/// what is missing of it is read there. What does not fit the reader's buffer waits in another.
///
/// ## Leaving
///
/// [#fill] is the only place that waits. Nothing is changed before it returns, so a reader may leave
/// there at any time.
final class TlsInput {
  private static final int HEADER = 5;

  /// How far the other side's direction has come.
  ///
  /// ```
  ///            close_notify
  ///   OPEN ───────────────────────▶ ENDED
  ///    ├─ the transport ends ─────▶ TRUNCATED, or ENDED where that is tolerated
  ///    └─ a record that is wrong ─▶ BROKEN
  /// ```
  private enum State {
    OPEN,
    ENDED,
    TRUNCATED,
    BROKEN
  }

  private final Object owner;
  private final ByteStream transport;
  private final boolean tolerant;

  /// What arrived and is not decrypted, from position to limit.
  private ByteBuffer cipher = BufferPool.NONE;

  /// What is decrypted and not taken, likewise.
  private ByteBuffer plain = BufferPool.NONE;

  private State state = State.OPEN;
  private @Nullable SSLException failure;

  TlsInput(Object owner, ByteStream transport, boolean tolerant) {
    this.owner = owner;
    this.transport = transport;
    this.tolerant = tolerant;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  /// Why nothing more can be read or written, or null.
  @Nullable SSLException failure() {
    return failure;
  }

  // ---- what arrives

  /// Waits for more: at least one byte is added to what is at hand, or the state changes.
  void fill() throws IOException {
    if (!cipher.hasRemaining()) {
      drop();
      ByteBuffer arrived = transport.read();
      if (arrived == null) {
        ended();
      } else {
        cipher = arrived;
      }
      return;
    }
    ByteBuffer held = held();
    int wanted = Math.max(recordLength(), 0) - held.remaining();
    ByteBuffer window = held.duplicate().clear().position(held.limit());
    if (wanted > 0 && wanted < window.remaining()) {
      window.limit(window.position() + wanted);
    }
    int count = transport.read(window);
    if (count < 0) {
      ended();
    } else {
      held.limit(held.limit() + count);
    }
  }

  /// What is at hand, in a buffer that has room for the rest of its record.
  private ByteBuffer held() {
    int needed = Math.max(recordLength(), cipher.remaining() + 1);
    if (cipher.capacity() - cipher.position() < needed || cipher.isReadOnly()) {
      ByteBuffer roomy = BufferPool.RECORDS.take(needed).put(cipher).flip();
      drop();
      cipher = roomy;
    }
    return cipher;
  }

  private void drop() {
    BufferPool.RECORDS.give(cipher);
    cipher = BufferPool.NONE;
  }

  private void ended() {
    state = tolerant ? State.ENDED : State.TRUNCATED;
  }

  /// The length of the first record, by its header; 0 if there is no header yet, -1 if it is none.
  private int recordLength() {
    if (cipher.remaining() < HEADER) {
      return 0;
    }
    int at = cipher.position();
    int type = cipher.get(at);
    boolean isTls = type >= 20 && type <= 24 && cipher.get(at + 1) == 3;
    return isTls ? HEADER + (cipher.getShort(at + 3) & 0xFFFF) : -1;
  }

  /// Whether the engine can do something with what is at hand: a whole record, or what is none.
  private boolean isDigestible() {
    int length = recordLength();
    return length < 0 || (length > 0 && cipher.remaining() >= length);
  }

  /// What has arrived, to look at.
  ByteBuffer peek() {
    return cipher.asReadOnlyBuffer();
  }

  // ---- during the handshake

  /// Waits for the next record and gives it to the engine.
  void handshake(SSLEngine engine) throws IOException {
    while (isOpen() && !isDigestible()) {
      fill();
    }
    if (isOpen()) {
      aside(engine);
    }
  }

  // ---- afterwards

  /// Decrypts what is at hand, as much as fits: how many bytes, 0 if more is needed, -1 at the end.
  int take(SSLEngine engine, TlsOutput output, ByteBuffer into) throws IOException {
    int count = plain.hasRemaining() ? move(into) : 0;
    while (count == 0 && isOpen() && isDigestible()) {
      count = decrypt(engine, output, into);
    }
    return count > 0 ? count : ending();
  }

  /// The same, in a buffer of the right size; null if more is needed or at the end, which
  /// [#ending] tells apart.
  @Nullable ByteBuffer take(SSLEngine engine, TlsOutput output) throws IOException {
    while (!plain.hasRemaining() && isOpen() && isDigestible()) {
      ByteBuffer own = ByteBuffer.allocate(cipher.remaining());
      if (decrypt(engine, output, own) > 0) {
        return own.flip();
      }
    }
    if (!plain.hasRemaining()) {
      return null;
    }
    ByteBuffer own = ByteBuffer.allocate(plain.remaining());
    move(own);
    return own.flip();
  }

  /// 0 while more can come, -1 at the end.
  int ending() throws IOException {
    return switch (state) {
      case OPEN -> 0;
      case ENDED -> -1;
      case TRUNCATED -> throw truncated();
      case BROKEN -> throw new SSLException(owner + ": " + reason(), failure);
    };
  }

  private UvException truncated() {
    UvException end = Failures.of(UvErrors.UV_EOF, "read", owner.toString());
    return new UvException(
        end.code(),
        end.errno(),
        "end of the connection without close_notify: something may be missing",
        end.call(),
        end.subject());
  }

  private String reason() {
    return failure == null ? "broken" : String.valueOf(failure.getMessage());
  }

  /// Puts bytes back in front of all others.
  void unread(ByteBuffer bytes) {
    ByteBuffer joined = ByteBuffer.allocate(bytes.remaining() + plain.remaining());
    joined.put(bytes).put(plain).flip();
    BufferPool.RECORDS.give(plain);
    plain = joined;
  }

  private int decrypt(SSLEngine engine, TlsOutput output, ByteBuffer into) {
    int start = into.position();
    while (isOpen() && isDigestible()) {
      try {
        SSLEngineResult result = engine.unwrap(cipher, into);
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
          if (into.position() == start) {
            result = aside(engine);
            move(into);
          } else {
            break; // the rest is for the next read
          }
        }
        heed(output, result);
      } catch (SSLException wrong) {
        broken(output, wrong);
      }
      if (plain.hasRemaining()) {
        break;
      }
    }
    if (!cipher.hasRemaining()) {
      drop();
    }
    return into.position() - start;
  }

  /// What a record means besides its bytes. A renegotiation (which only TLS 1.2 has) would need the
  /// engine's long computations: those are for the handshake alone.
  private void heed(TlsOutput output, SSLEngineResult result) throws SSLException {
    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
      state = State.ENDED;
    } else if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
      throw new SSLException("the other side wants to renegotiate, which is refused");
    } else if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
      throw new SSLException("the engine makes nothing of a whole record");
    }
    output.answer(result);
  }

  private void broken(TlsOutput output, SSLException wrong) {
    failure = wrong;
    state = State.BROKEN;
    if (output.turns().isFree()) {
      output.lastWords();
    }
  }

  /// Decrypts one record into a buffer of the pool.
  private SSLEngineResult aside(SSLEngine engine) throws SSLException {
    ByteBuffer target = plain;
    if (!target.hasRemaining()) {
      target = BufferPool.RECORDS.take(engine.getSession().getApplicationBufferSize());
    } else {
      // Only in a handshake: what the other side sends before it is over.
      int room = plain.remaining() + engine.getSession().getApplicationBufferSize();
      target = ByteBuffer.allocate(room).put(plain);
    }
    SSLEngineResult result = engine.unwrap(cipher, target);
    if (target.flip().hasRemaining()) {
      plain = target;
    } else {
      BufferPool.RECORDS.give(target);
    }
    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
      state = State.ENDED;
    }
    return result;
  }

  private int move(ByteBuffer into) {
    int count = Math.min(plain.remaining(), into.remaining());
    into.put(into.position(), plain, plain.position(), count);
    into.position(into.position() + count);
    plain.position(plain.position() + count);
    if (!plain.hasRemaining()) {
      BufferPool.RECORDS.give(plain);
      plain = BufferPool.NONE;
    }
    return count;
  }

  /// Nobody reads any more: the buffers go back.
  void release() {
    drop();
    BufferPool.RECORDS.give(plain);
    plain = BufferPool.NONE;
  }
}
