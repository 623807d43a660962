// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Transition;
import dev.couv.loop.Turns;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/// The half of a TLS stream that writes: records that are made, and not with the transport yet.
///
/// ## Whole records
///
/// What is encrypted must go out, all of it and in order: records are numbered. Only who has the turn to
/// write adds to it or flushes it; a reader that owes an answer takes the turn if it is free, and does not
/// wait.
///
/// While nobody has the turn nothing is in flight. Whoever leaves something there, because it does not
/// wait or was cancelled, leaves it to a coroutine of the loop's own, which has the turn until the
/// transport took it.
///
/// ## Answers
///
/// The other side can ask for answers without taking them. While they cannot be made into records the
/// engine keeps them, so only a few may be owed.
///
/// ## Leaving
///
/// [#flush] is the only place that waits.
final class TlsOutput {
  /// How far this side's direction has come. ENDING: the last record is made, ENDED: the transport was
  /// told.
  @CheckReturnValue
  private enum State {
    OPEN,
    ENDING,
    /// The transport was told to end. Who told it may have left, and it has ended all the same.
    TOLD,
    ENDED;

    State end() {
      return Transition.require(this, this == OPEN, "end", ENDING);
    }

    State tell() {
      return Transition.require(this, this == ENDING || this == TOLD, "tell", TOLD);
    }

    State ended() {
      return Transition.require(this, this == TOLD, "ended", ENDED);
    }
  }

  /// How many bytes of records the other side may send that ask for an answer, while none can be given.
  /// One that asks for new keys has 27, but several may be in one record, each of 5.
  private static final int MOST_OWED = 2 << 10;

  private static final ByteBuffer[] NOTHING = {};

  private final Loop loop;
  private final TlsEngine engine;
  private final ByteStream transport;
  private final Turns turns;

  /// Encrypted and not with the transport, from position to limit.
  private ByteBuffer flight = BufferPool.NONE;

  private State state = State.OPEN;

  /// How many times something was made of what is to be written.
  private long spoken;

  /// Bytes of records that want an answer the engine still keeps.
  private int owed;

  TlsOutput(Loop loop, String owner, TlsEngine engine, ByteStream transport) {
    this.loop = loop;
    this.engine = engine;
    this.transport = transport;
    this.turns = new Turns(owner);
  }

  long pending() {
    return flight.remaining();
  }

  /// Grows with every record that says something.
  long spoken() {
    return spoken;
  }

  // ---- whose turn it is

  boolean isFree() {
    return turns.isFree();
  }

  /// Takes the turn, if need be when others have had theirs.
  void takeTurn(String purpose) {
    Suspension.takeTurn(turns, purpose);
  }

  /// Whoever had the turn is done, or has left.
  void pass() {
    try {
      if (transport.isOpen()) {
        tryFlush(); // what one that is cancelled has made
        answer(); // to what was read meanwhile
      }
    } catch (IOException wrong) {
      // who uses it next is told
    } finally {
      turns.pass();
      leave();
    }
  }

  /// What is in flight while nobody has the turn is sent all the same, by a coroutine that takes it.
  void leave() {
    releaseIfClosed();
    if (flight.hasRemaining() && turns.isFree() && turns.ask("flush") == null) {
      loop.spawn(this::sendRest).named("flush of " + transport);
    }
  }

  /// Fails where who writes next fails, too, and is told.
  private void sendRest() {
    boolean sent = false;
    try {
      do {
        flush();
        speakAll();
      } while (flight.hasRemaining());
      sent = true;
    } catch (IOException gone) {
      // not tried again until somebody writes
    } finally {
      if (sent) {
        pass();
      } else {
        turns.pass();
        releaseIfClosed();
      }
    }
  }

  private void releaseIfClosed() {
    if (!transport.isOpen() && turns.isFree()) {
      release();
    }
  }

  // ---- making records

  /// Encrypts the beginning of the buffers, a few records of it. False if this direction has ended.
  boolean encrypt(ByteBuffer... from) throws SSLException {
    while (state == State.OPEN && UserBuffers.hasRemaining(from)) {
      int before = flight.remaining();
      Status status = wrap(from);
      if (status == Status.BUFFER_OVERFLOW) {
        return true; // enough for one flight
      }
      if (status == Status.CLOSED) {
        state = state.end(); // TLS 1.2: the other side's end is this side's, too
      } else if (flight.remaining() == before) {
        throw new SSLException("the engine makes no record of what is to be written");
      }
      spoken++;
    }
    return state == State.OPEN;
  }

  /// Makes what the engine has to say by itself: a step of the handshake, an answer, an alert.
  /// BUFFER_OVERFLOW if that must wait for a flush.
  Status speak() throws SSLException {
    return wrap(NOTHING);
  }

  private Status wrap(ByteBuffer[] from) throws SSLException {
    int room = engine.jdk().getSession().getPacketBufferSize();
    if (flight == BufferPool.NONE) {
      flight = BufferPool.BULK.take().limit(0);
    }
    if (flight.capacity() - flight.limit() < room) {
      return Status.BUFFER_OVERFLOW;
    }
    ByteBuffer window = flight.duplicate().clear().position(flight.limit());
    SSLEngineResult result = engine.wrap(from, window);
    flight.limit(window.position());
    if (result.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
      owed = 0;
    }
    return result.getStatus();
  }

  /// Makes all that the engine has to say, as far as there is room.
  private void speakAll() throws SSLException {
    while (owesAnswer() && speak() == Status.OK) {
      // one record after the other
    }
  }

  // ---- sending them

  /// Waits until the transport has all that is made. With the turn.
  void flush() throws IOException {
    if (flight.hasRemaining()) {
      transport.tryWrite(flight); // first, because it cannot be cancelled halfway
    }
    if (flight.hasRemaining()) {
      transport.write(flight);
      engine.awaited();
    }
    land();
  }

  /// Passes on what the transport takes at once. Whether that is all.
  boolean tryFlush() throws IOException {
    if (flight.hasRemaining()) {
      transport.tryWrite(flight);
    }
    land();
    return !flight.hasRemaining();
  }

  private void land() {
    if (!flight.hasRemaining()) {
      BufferPool.give(flight);
      flight = BufferPool.NONE;
    }
  }

  // ---- ending

  /// Says the last word of this direction, close_notify, if there is room for it.
  void end() throws SSLException {
    if (state == State.OPEN) {
      engine.jdk().closeOutbound();
      state = state.end();
    }
    while (!engine.jdk().isOutboundDone() && speak() == Status.OK) {
      // alerts that were due come first
    }
  }

  /// Waits until the transport has ended this direction. With the turn.
  void shutdown() throws IOException {
    flush();
    end();
    flush();
    if (state != State.ENDED) {
      endTransport();
      state = state.ended();
    }
  }

  private void endTransport() throws IOException {
    boolean again = state == State.TOLD;
    state = state.tell();
    try {
      transport.shutdown();
    } catch (UvException refused) {
      if (!again || !refused.code().equals("ENOTCONN")) {
        throw refused;
      }
    }
  }

  // ---- what a reader owes

  /// The engine read a record that may want an answer: a key update does, and in TLS 1.2 the end.
  /// Whoever has the turn answers with its next record, or when it passes the turn.
  void answer(SSLEngineResult read) throws SSLException {
    if (read.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
      return;
    }
    if (turns.isFree()) {
      answer();
      leave();
    }
    if (read.bytesProduced() == 0 && owesAnswer()) {
      owed += read.bytesConsumed();
      if (owed > MOST_OWED) {
        throw new SSLException("the other side asks for answers and does not take them");
      }
    }
  }

  /// With the turn, or while nobody has it.
  private void answer() throws SSLException {
    if (engine.jdk().isInboundDone()) {
      // In TLS 1.3 this side may go on, whatever the status says.
      if (engine.owes() && !engine.isTls13()) {
        lastWords();
      }
      return;
    }
    try {
      speakAll();
      tryFlush();
    } catch (SSLException wrong) {
      throw wrong;
    } catch (IOException gone) {
      // who writes next is told
    }
  }

  private boolean owesAnswer() {
    return engine.owes() && !engine.jdk().isInboundDone();
  }

  /// What can be said at once before it is over: the alert that says why, or close_notify. The other
  /// side may be gone: it does not matter. With the turn, or while nobody has it.
  void lastWords() {
    try {
      end();
      tryFlush();
    } catch (IOException gone) {
      // there is nobody to tell
    }
  }

  /// Nobody writes any more: the buffer goes back.
  void release() {
    flight.limit(flight.position());
    land();
  }
}
