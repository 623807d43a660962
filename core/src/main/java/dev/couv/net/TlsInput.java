// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.error.UvException;
import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Failures;
import dev.couv.loop.Transition;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.wire.NativeStream;
import dev.couv.wire.Transfers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The half of a TLS stream that reads: records that arrived, and what is decrypted of them.
///
/// ## Memory
///
/// A stream that waits for its next record holds no buffer, and one that waits for the rest of a record a buffer
/// for one record. As much is read as there is, and joined to what is there, in a buffer that several records
/// fit into, which is held while some of them are not decrypted. What does not fit the reader's buffer waits in another.
///
/// ## Records that bring nothing
///
/// Keys change, tickets are given, empty records fill the line: each costs a computation or a memory, and
/// brings the reader no byte. A few in a row are ordinary. More, while this side says nothing either, are
/// an attack.
///
/// ## Leaving
///
/// [#fill] waits for bytes, [#rest] lets the others run. Nothing is changed before they return, so a
/// reader may leave there at any time.
final class TlsInput {
  private static final int HEADER = 5;

  /// The longest record that is one, whatever its cipher.
  private static final int LONGEST = HEADER + (16 << 10) + (2 << 10);

  /// What a record has besides its bytes, with any cipher but those that hide nothing.
  private static final int TAG = 16;

  /// What came alone and is not longer gets an array of its own: that costs less than a buffer of the pool.
  private static final int SMALL = 4 << 10;

  /// How many records are decrypted before the others get a turn.
  private static final int IN_A_TURN = 16;

  /// How many records in a row may bring nothing.
  private static final int MOST_IDLE = 64;

  /// How far the other side's direction has come.
  ///
  /// ```
  ///            close_notify
  ///   OPEN ───────────────────────▶ ENDED
  ///    ├─ the transport ends ─────▶ TRUNCATED, or ENDED where that is tolerated
  ///    └─ a record that is wrong ─▶ BROKEN
  /// ```
  @CheckReturnValue
  private enum State {
    OPEN,
    ENDED,
    TRUNCATED,
    BROKEN;

    State end() {
      return Transition.require(this, this == OPEN || this == ENDED, "end", ENDED);
    }

    State truncate() {
      return Transition.require(this, this == OPEN, "truncate", TRUNCATED);
    }

    State spoil() {
      return Transition.require(this, this == OPEN || this == ENDED, "spoil", BROKEN);
    }
  }

  private final Object owner;
  private final ByteStream transport;
  private final boolean tolerant;

  /// Set when the engine is known, before anything is decrypted.
  private @Nullable TlsEngine engine;

  /// What arrived and is not decrypted, from position to limit.
  private ByteBuffer cipher = BufferPool.NONE;

  /// What is decrypted and not taken, from position to limit.
  private ByteBuffer plain = BufferPool.NONE;

  private State state = State.OPEN;
  private @Nullable SSLException failure;

  /// Records in a row that brought nothing, and how many this side had made when that began.
  private int idle;

  private long spoken;

  TlsInput(Object owner, ByteStream transport, boolean tolerant) {
    this.owner = owner;
    this.transport = transport;
    this.tolerant = tolerant;
  }

  /// From now on there is an engine for what arrives.
  void attach(TlsEngine newEngine) {
    engine = newEngine;
  }

  private TlsEngine engine() {
    return Objects.requireNonNull(engine);
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
    shrink();
    if (!(transport instanceof NativeStream ours ? arrive(ours) : arrive())) {
      state = tolerant ? state.end() : state.truncate();
    }
    if (engine != null) {
      engine.awaited();
    }
  }

  /// Nothing is held but the beginning of a record.
  private void shrink() {
    if (!cipher.hasRemaining()) {
      drop();
    } else if (cipher.capacity() > BufferPool.RECORD && cipher.remaining() <= BufferPool.RECORD) {
      moveTo(BufferPool.take(cipher.remaining()));
    }
  }

  /// False at the end.
  private boolean arrive() throws IOException {
    ByteBuffer bytes = transport.read();
    if (bytes != null) {
      add(bytes); // not taken over: somebody else's stream may keep what it gives
    }
    return bytes != null;
  }

  /// By a buffer that the loop's streams share, not by an array that is made for what came.
  private boolean arrive(NativeStream ours) throws IOException {
    ByteBuffer bytes = Transfers.read(ours);
    try {
      if (bytes != null) {
        add(bytes);
      }
      return bytes != null;
    } finally {
      Transfers.done(ours, bytes);
    }
  }

  /// What came is at hand; or back, where there is no memory for it; or nobody reads on, because there would be a hole.
  private void add(ByteBuffer bytes) {
    try {
      join(bytes);
    } catch (Throwable failed) {
      try {
        transport.unread(bytes);
      } catch (Throwable lost) {
        transport.close();
      }
      throw failed;
    }
  }

  /// Puts what came behind what is at hand.
  private void join(ByteBuffer bytes) {
    if (cipher.capacity() - cipher.limit() < bytes.remaining()) {
      int together = cipher.remaining() + bytes.remaining();
      boolean alone = together == bytes.remaining() && together <= SMALL;
      moveTo(alone ? ByteBuffer.allocate(together) : BufferPool.take(together));
    }
    int end = cipher.limit();
    cipher.limit(end + bytes.remaining()).put(end, bytes, bytes.position(), bytes.remaining());
  }

  /// What is at hand goes to another buffer.
  private void moveTo(ByteBuffer roomy) {
    ByteBuffer old = cipher;
    cipher = roomy.put(old).flip();
    BufferPool.give(old);
  }

  private void drop() {
    BufferPool.give(cipher);
    cipher = BufferPool.NONE;
  }

  /// The length of the first record, by its header; 0 if there is no header yet, or none that can be
  /// believed.
  private int recordLength() {
    return recordLength(cipher.position());
  }

  private int recordLength(int at) {
    if (cipher.limit() - at < HEADER) {
      return 0;
    }
    int type = cipher.get(at);
    int length = HEADER + (cipher.getShort(at + 3) & 0xFFFF);
    return type >= 20 && type <= 24 && cipher.get(at + 1) == 3 && length <= LONGEST ? length : 0;
  }

  /// Whether the engine can be asked: about a whole record, or about what is none. It may still want more
  /// of that.
  private boolean isDigestible() {
    return cipher.remaining() >= Math.max(recordLength(), HEADER);
  }

  /// What has arrived, to look at.
  ByteBuffer peek() {
    return cipher.asReadOnlyBuffer();
  }

  // ---- during the handshake

  /// Waits for the next record and gives it to the engine.
  void handshake() throws IOException {
    while (isOpen() && !isDigestible()) {
      fill();
    }
    if (isOpen() && aside().getStatus() == Status.BUFFER_UNDERFLOW) {
      fill();
    }
  }

  // ---- afterwards

  /// Decrypts what is at hand, as much as fits: how many bytes, 0 if more is needed, -1 at the end.
  int take(TlsOutput output, ByteBuffer into) throws IOException {
    int count = plain.hasRemaining() ? move(into) : 0;
    if (count == 0) {
      count = decrypt(output, into);
    }
    return count > 0 ? count : ending();
  }

  /// The same, in a buffer of the right size; null if more is needed or at the end, which
  /// [#ending] tells apart.
  @Nullable ByteBuffer take(TlsOutput output) throws IOException {
    if (!plain.hasRemaining() && isOpen() && isDigestible()) {
      ByteBuffer own = ByteBuffer.allocate(promised());
      if (decryptAll(output, own) > 0) {
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

  /// If it throws, what was decrypted is there for the next read, or nobody reads on.
  private int decryptAll(TlsOutput output, ByteBuffer own) {
    try {
      return decrypt(output, own);
    } catch (Throwable failed) {
      if (own.position() > 0 && plain.hasRemaining()) {
        transport.close(); // no place is left for what was first
      } else if (own.position() > 0) {
        plain = own.flip();
      }
      throw failed;
    }
  }

  /// How many bytes the records are at most that are decrypted in a turn. If it were too few, the rest is for the next.
  private int promised() {
    int bytes = 0;
    int at = cipher.position();
    for (int records = 0; records < IN_A_TURN; records++) {
      int length = recordLength(at);
      if (length == 0 || length > cipher.limit() - at) {
        break;
      }
      at += length;
      bytes += Math.max(0, length - HEADER - TAG);
    }
    return bytes;
  }

  /// After a take that gave nothing: waits for more, or only for the others, if there is more at hand
  /// than one may decrypt in a turn.
  void rest() throws IOException {
    if (isDigestible()) {
      Suspension.pass("read");
    } else {
      fill();
    }
  }

  /// 0 while more can come, -1 at the end.
  int ending() throws IOException {
    return switch (state) {
      case OPEN -> 0;
      case ENDED -> -1;
      case TRUNCATED -> throw truncated();
      case BROKEN ->
          throw new SSLException(
              owner + ": " + Objects.requireNonNull(failure).getMessage(), failure);
    };
  }

  private UvException truncated() {
    UvException end = Failures.named("EOF", "read", owner.toString());
    return new UvException(
        end.code(),
        end.errno(),
        "end of the connection without close_notify: something may be missing",
        end.call(),
        end.subject());
  }

  /// Puts bytes back in front of all others.
  void unread(ByteBuffer bytes) {
    ByteBuffer joined = ByteBuffer.allocate(bytes.remaining() + plain.remaining());
    joined.put(bytes).put(plain).flip();
    BufferPool.give(plain);
    plain = joined;
  }

  /// A few records, so that nobody who sends many small ones keeps the others waiting.
  private int decrypt(TlsOutput output, ByteBuffer into) {
    int start = into.position();
    for (int records = 0; records < IN_A_TURN && isOpen() && isDigestible(); records++) {
      try {
        SSLEngineResult result = engine().unwrap(cipher, into);
        if (result.getStatus() == Status.BUFFER_OVERFLOW) {
          if (into.position() > start) {
            break; // the rest is for the next read
          }
          result = aside();
          move(into);
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
    HandshakeStatus status = result.getHandshakeStatus();
    if (result.getStatus() == Status.CLOSED) {
      state = state.end();
    } else if (result.bytesConsumed() == 0) {
      throw new SSLException("the engine makes nothing of a whole record");
    } else if (status == HandshakeStatus.NEED_TASK
        || (status == HandshakeStatus.NEED_WRAP && !engine().isTls13())) {
      throw new SSLException("the other side wants to renegotiate, which is refused");
    }
    idle = result.bytesProduced() > 0 || output.spoken() > spoken ? 0 : idle + 1;
    spoken = output.spoken();
    if (idle > MOST_IDLE) {
      throw new SSLException("the other side sends record after record with nothing in it");
    }
    output.answer(result);
  }

  private void broken(TlsOutput output, SSLException wrong) {
    failure = wrong;
    state = state.spoil();
    if (output.isFree()) {
      output.lastWords();
      output.leave();
    }
  }

  /// Decrypts one record into a buffer of the pool.
  private SSLEngineResult aside() throws SSLException {
    ByteBuffer target = plain;
    int room = engine().jdk().getSession().getApplicationBufferSize();
    if (!target.hasRemaining()) {
      target = BufferPool.take(room);
    } else {
      // Only in a handshake: what the other side sends before it is over.
      target = ByteBuffer.allocate(plain.remaining() + room).put(plain);
    }
    SSLEngineResult result = engine().unwrap(cipher, target);
    if (target.flip().hasRemaining()) {
      plain = target;
    } else {
      BufferPool.give(target);
    }
    if (result.getStatus() == Status.CLOSED) {
      state = state.end();
    }
    return result;
  }

  private int move(ByteBuffer into) {
    int count = Math.min(plain.remaining(), into.remaining());
    into.put(into.position(), plain, plain.position(), count);
    into.position(into.position() + count);
    plain.position(plain.position() + count);
    if (!plain.hasRemaining()) {
      BufferPool.give(plain);
      plain = BufferPool.NONE;
    }
    return count;
  }

  /// Nobody reads any more: the buffers go back.
  void release() {
    drop();
    BufferPool.give(plain);
    plain = BufferPool.NONE;
  }
}
