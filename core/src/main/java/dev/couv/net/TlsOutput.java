// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.Turns;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/// The half of a TLS stream that writes: records that are made, and not with the transport yet.
///
/// ## Whole records
///
/// What is encrypted must go out, all of it and in order: records are numbered. So what a writer that
/// leaves has made stays here, and goes out before anything else. Only who has the turn to write adds
/// to it or flushes it; a reader that owes an answer takes the turn if it is free, and does not wait.
///
/// ## Leaving
///
/// [#flush] is the only place that waits.
final class TlsOutput {
  /// How far this side's direction has come. ENDING: the last record is made, ENDED: the transport was
  /// told.
  private enum State {
    OPEN,
    ENDING,
    ENDED
  }

  /// Answers that the other side asked for and does not take. More are not an accident.
  private static final int MOST_UNTAKEN = 64;

  private static final ByteBuffer[] NOTHING = {};

  private final SSLEngine engine;
  private final ByteStream transport;
  private final Turns turns;

  /// Encrypted and not with the transport, from position to limit.
  private ByteBuffer flight = BufferPool.NONE;

  private State state = State.OPEN;
  private int untaken;

  TlsOutput(Object owner, SSLEngine engine, ByteStream transport) {
    this.engine = engine;
    this.transport = transport;
    this.turns = new Turns(owner);
  }

  Turns turns() {
    return turns;
  }

  long pending() {
    return flight.remaining();
  }

  // ---- making records

  /// Encrypts the beginning of the buffers, a few records of it. False if this direction has ended.
  boolean encrypt(ByteBuffer... from) throws SSLException {
    while (state == State.OPEN && hasRemaining(from)) {
      int before = flight.remaining();
      Status status = wrap(from);
      if (status == Status.BUFFER_OVERFLOW) {
        return true; // enough for one flight
      }
      if (status == Status.CLOSED) {
        state = State.ENDING; // TLS 1.2: the other side's end is this side's, too
      } else if (flight.remaining() == before) {
        throw new SSLException("the engine makes no record of what is to be written");
      }
    }
    return state == State.OPEN;
  }

  /// Makes what the engine has to say by itself: a step of the handshake, an answer, an alert.
  /// BUFFER_OVERFLOW if that must wait for a flush.
  Status speak() throws SSLException {
    return wrap(NOTHING);
  }

  private Status wrap(ByteBuffer[] from) throws SSLException {
    int room = engine.getSession().getPacketBufferSize();
    if (flight == BufferPool.NONE) {
      flight = BufferPool.FLIGHTS.take(room).limit(0);
    }
    if (flight.capacity() - flight.limit() < room) {
      return Status.BUFFER_OVERFLOW;
    }
    ByteBuffer window = flight.duplicate().clear().position(flight.limit());
    SSLEngineResult result = engine.wrap(from, window);
    flight.limit(window.position());
    return result.getStatus();
  }

  static boolean hasRemaining(ByteBuffer... buffers) {
    for (ByteBuffer buffer : buffers) {
      if (buffer.hasRemaining()) {
        return true;
      }
    }
    return false;
  }

  // ---- sending them

  /// Waits until the transport has all that is made. With the turn.
  void flush() throws IOException {
    if (flight.hasRemaining()) {
      transport.tryWrite(flight); // first, because it cannot be cancelled halfway
    }
    if (flight.hasRemaining()) {
      transport.write(flight);
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
      BufferPool.FLIGHTS.give(flight);
      flight = BufferPool.NONE;
    }
  }

  // ---- ending

  /// Says the last word of this direction, close_notify, if there is room for it.
  void end() throws SSLException {
    if (state == State.OPEN) {
      engine.closeOutbound();
      state = State.ENDING;
    }
    while (!engine.isOutboundDone() && speak() == Status.OK) {
      // alerts that were due come first
    }
  }

  /// Waits until the transport has ended this direction. With the turn.
  void shutdown() throws IOException {
    flush();
    end();
    flush();
    if (state != State.ENDED) {
      transport.shutdown();
      state = State.ENDED;
    }
  }

  // ---- what a reader owes

  /// The engine read a record that may want an answer: a key update does, and in TLS 1.2 the end.
  /// Whoever has the turn answers with its next record, or when it passes the turn.
  void answer(SSLEngineResult read) throws SSLException {
    if (read.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && turns.isFree()) {
      answer();
    }
  }

  /// With the turn, or while nobody has it.
  void answer() throws SSLException {
    if (engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
      return;
    }
    if (engine.isInboundDone()) {
      // In TLS 1.3 this side may go on, whatever the status says.
      if (!engine.getSession().getProtocol().equals("TLSv1.3")) {
        lastWords();
      }
      return;
    }
    try {
      if (tryFlush()) {
        untaken = 0;
        speak();
        tryFlush();
      } else if (++untaken > MOST_UNTAKEN) {
        throw new SSLException("the other side asks for answers and does not take them");
      }
    } catch (SSLException wrong) {
      throw wrong;
    } catch (IOException gone) {
      // who writes next is told
    }
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
