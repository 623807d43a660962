// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Loop;
import dev.couv.coro.LoopBound;
import dev.couv.error.BusyException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.wire.KeepsNothing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// A byte stream, encrypted, over another one: its transport, which belongs to it. [Tls] makes them,
/// with the handshake done.
///
/// ## The end
///
/// [#shutdown] says close_notify and ends the transport's direction. What the other side says goes on
/// in TLS 1.3; in TLS 1.2 it answers with its own end, and writing to a stream whose other side has
/// ended fails with `EPIPE`.
///
/// A connection that ends without close_notify may have been cut by anyone: reading fails with a
/// `UvException` of code `EOF`, unless [TlsOptions#tolerateTruncation].
///
/// [#close] says close_notify if that needs no waiting. Bytes of the other side that nobody has read
/// make a system reset the connection, and what was written last may be lost with it: where it matters,
/// shut down, read to the end, and close then.
///
/// ## Leaving
///
/// A read that is cancelled loses nothing, not even in the middle of a record. A write that is cancelled
/// stops between records: what the positions say is written goes out, if need be before the next
/// write. Other handshakes on a stream that is open (renegotiation, in TLS 1.2) are refused.
@SuppressWarnings("exports") // what it keeps concerns streams only
public final class TlsStream implements ByteStream, LoopBound, KeepsNothing {
  /// Bytes of one record: what [#tryWrite] makes before it asks the transport.
  private static final int PIECE = 16 << 10;

  /// What it writes at most: a fast transport must not keep everybody else waiting.
  private static final int AT_ONCE = 16 << 20;

  private final EventLoop loop;
  private final ByteStream transport;
  private final TlsEngine engine;
  private final TlsInput input;
  private final TlsOutput output;

  private boolean open = true;
  private boolean reading;

  TlsStream(EventLoop loop, ByteStream transport, TlsEngine engine, TlsInput input) {
    this.loop = loop;
    this.transport = transport;
    this.engine = engine;
    this.input = input;
    this.output = new TlsOutput(Loop.current(), "tls over " + transport, engine, transport);
  }

  TlsOutput outgoing() {
    return output;
  }

  // ---- reading

  @Override
  public int read(ByteBuffer into) throws IOException {
    UserBuffers.checkTarget(into);
    if (!into.hasRemaining()) {
      checkUsable();
      Suspension.pass("read");
      return 0;
    }
    beginRead();
    try {
      int count;
      while ((count = input.take(output, into)) == 0) {
        input.rest();
      }
      return count;
    } catch (ClosedChannelException closed) {
      throw closedWhile("read");
    } finally {
      endRead();
    }
  }

  @Override
  public @Nullable ByteBuffer read() throws IOException {
    beginRead();
    try {
      ByteBuffer taken;
      while ((taken = input.take(output)) == null) {
        if (input.ending() < 0) {
          return null;
        }
        input.rest();
      }
      return taken;
    } catch (ClosedChannelException closed) {
      throw closedWhile("read");
    } finally {
      endRead();
    }
  }

  /// A refusal counts as an await: who does not heed it must not starve the others.
  private void beginRead() throws IOException {
    loop.checkThread(this);
    if ((!isOpen() || reading) && Suspension.isInCoroutine()) {
      Suspension.pass("read");
    }
    checkUsable();
    if (reading) {
      throw new BusyException(this + ": another coroutine is already reading it");
    }
    reading = true;
    try {
      Suspension.pass("read");
      checkStillOpen("read");
    } catch (Throwable failed) {
      endRead();
      throw failed;
    }
  }

  private void endRead() {
    reading = false;
    if (!open) {
      input.release();
    }
  }

  /// A reader that waits already gets them with what comes next.
  @Override
  public void unread(ByteBuffer bytes) throws IOException {
    checkUsable();
    if (bytes.hasRemaining()) {
      input.unread(bytes);
    }
  }

  // ---- writing

  @Override
  public void write(ByteBuffer... from) throws IOException {
    UserBuffers.checkSources(from);
    takeTurn("write to");
    try {
      do {
        Suspension.pass("write");
        checkStillOpen("written");
        output.flush(); // what a writer that left has made
        encrypt(from);
        output.flush();
      } while (UserBuffers.hasRemaining(from));
    } catch (ClosedChannelException closed) {
      throw closedWhile("written");
    } finally {
      output.pass();
    }
  }

  /// What is left of a record that the transport took in part goes out by itself: [#pending] tells.
  @Override
  public int tryWrite(ByteBuffer from) throws IOException {
    UserBuffers.checkSources(from);
    checkUsable();
    if (!output.isFree()) {
      return 0;
    }
    int start = from.position();
    try {
      while (from.hasRemaining() && from.position() - start < AT_ONCE && output.tryFlush()) {
        ByteBuffer piece = from.duplicate();
        piece.limit(Math.min(from.limit(), from.position() + PIECE));
        encrypt(piece);
        from.position(piece.position());
      }
      output.tryFlush();
    } finally {
      output.leave();
    }
    return from.position() - start;
  }

  private void encrypt(ByteBuffer... from) throws IOException {
    SSLException failure = input.failure();
    if (failure != null) {
      throw new SSLException(this + ": " + failure.getMessage(), failure);
    }
    if (!output.encrypt(from)) {
      output.tryFlush();
      throw Failures.named("EPIPE", "write", toString());
    }
  }

  @Override
  public void shutdown() throws IOException {
    takeTurn("shut down");
    try {
      Suspension.pass("shutdown");
      checkStillOpen("shut down");
      output.shutdown();
    } catch (ClosedChannelException closed) {
      throw closedWhile("shut down");
    } finally {
      output.pass();
    }
  }

  private void takeTurn(String purpose) throws IOException {
    checkUsable();
    output.takeTurn(purpose);
  }

  @Override
  public long pending() throws IOException {
    checkUsable();
    return output.pending() + transport.pending();
  }

  // ---- who is at the other end

  /// The other side's certificates, its own first; empty if it showed none.
  public List<X509Certificate> peerCertificates() {
    try {
      Certificate[] shown = session().getPeerCertificates();
      return Arrays.stream(shown).map(X509Certificate.class::cast).toList();
    } catch (SSLPeerUnverifiedException unknown) {
      return List.of();
    }
  }

  /// The protocol both sides chose by ALPN, or null.
  public @Nullable String applicationProtocol() {
    String chosen = engine.jdk().getApplicationProtocol();
    return chosen == null || chosen.isEmpty() ? null : chosen;
  }

  /// The host the client asked for by SNI, or null.
  public @Nullable String serverName() {
    if (session() instanceof ExtendedSSLSession extended) {
      for (SNIServerName name : extended.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          return host.getAsciiName();
        }
      }
    }
    return null;
  }

  /// What was agreed upon: protocol, cipher suite, and more.
  public SSLSession session() {
    return engine.jdk().getSession();
  }

  /// What it runs over. Whoever reads from it or writes to it breaks this stream.
  public ByteStream transport() {
    return transport;
  }

  // ---- open and closed

  @Override
  public boolean isHere() {
    return loop.isInside();
  }

  @Override
  public boolean isOpen() {
    return open && transport.isOpen();
  }

  @Override
  public void close() {
    loop.checkThread(this);
    if (!open) {
      return;
    }
    open = false;
    if (output.isFree()) {
      if (transport.isOpen()) {
        output.lastWords();
      }
      output.release();
    }
    transport.close();
    if (!reading) {
      input.release();
    }
  }

  private void checkUsable() throws IOException {
    loop.checkThread(this);
    if (!isOpen()) {
      throw Failures.closed(this);
    }
  }

  private void checkStillOpen(String done) throws IOException {
    if (!isOpen()) {
      throw closedWhile(done);
    }
  }

  private IOException closedWhile(String done) {
    return Failures.closedWhile(this, done);
  }

  @Override
  public String toString() {
    return "tls over " + transport;
  }
}
