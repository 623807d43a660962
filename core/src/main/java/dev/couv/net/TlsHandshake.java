// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.SpareThreads;
import dev.couv.strand.Expired;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadPoolExecutor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/// The beginning of a TLS stream. Whoever leaves it, by failure, timeout or cancellation, leaves the
/// transport closed: nothing else can be said over it.
final class TlsHandshake {
  /// What the engine computes is computed here: signatures and the checks of certificates take
  /// milliseconds, and check lists may even be fetched. No more threads than help: those who begin a
  /// thousand handshakes at once wait for each other.
  private static final ThreadPoolExecutor COMPUTERS =
      SpareThreads.of(
          Math.max(2, Runtime.getRuntime().availableProcessors()),
          10,
          Thread.ofPlatform().daemon().name("couv-tls-", 1));

  /// How long a side that refused the other waits for it to hang up, so that it gets to read why.
  private static final Duration LINGER = Duration.ofMillis(200);

  private final EventLoop loop;
  private final ByteStream transport;
  private final TlsInput input;
  private final @Nullable Duration timeout;
  private final String call;

  TlsHandshake(EventLoop loop, ByteStream transport, TlsOptions options, String call) {
    this.loop = loop;
    this.transport = Objects.requireNonNull(transport, "transport");
    this.input = new TlsInput("tls over " + transport, transport, options.tolerateTruncation());
    this.timeout = options.handshakeTimeout();
    this.call = call;
  }

  /// Makes the engine, when it can be known how.
  interface Beginning {
    SSLEngine engine(TlsInput arriving) throws Exception;

    /// The handshake is done. Throws if it was not the one that the engine was made for.
    default void check(TlsStream stream) throws SSLException {}
  }

  TlsStream run(Beginning beginning) throws IOException {
    boolean done = false;
    try {
      TlsStream stream = timeout == null ? greet(beginning) : within(timeout, beginning);
      done = true;
      return stream;
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception other) {
      throw new SSLHandshakeException(this + ": " + other.getMessage(), other);
    } finally {
      if (!done) {
        transport.close();
      }
    }
  }

  private TlsStream within(Duration time, Beginning beginning) throws Exception {
    try {
      return Suspension.within(time, call, () -> greet(beginning));
    } catch (Expired expired) {
      SocketTimeoutException late = new SocketTimeoutException(this + ": not done within " + time);
      late.initCause(expired.getCause());
      throw late;
    }
  }

  private TlsStream greet(Beginning beginning) throws Exception {
    TlsEngine engine = new TlsEngine(beginning.engine(input));
    input.attach(engine);
    TlsStream stream = new TlsStream(loop, transport, engine, input);
    try {
      shake(engine, stream.outgoing());
      beginning.check(stream);
    } catch (SSLException refused) {
      stream.outgoing().lastWords();
      if (!engine.jdk().getUseClientMode()) {
        linger(refused);
      }
      throw refused;
    }
    return stream;
  }

  private void shake(TlsEngine engine, TlsOutput output) throws Exception {
    engine.jdk().beginHandshake();
    while (true) {
      Suspension.pass(call); // the other side decides how many steps it takes
      switch (engine.jdk().getHandshakeStatus()) {
        case NEED_TASK -> compute(engine);
        case NEED_WRAP -> {
          switch (output.speak()) {
            case CLOSED -> throw endedEarly();
            case BUFFER_OVERFLOW -> output.flush();
            case OK, BUFFER_UNDERFLOW -> {}
          }
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          output.flush();
          input.handshake();
          if (!input.isOpen()) {
            throw endedEarly();
          }
        }
        case NOT_HANDSHAKING, FINISHED -> {
          output.flush();
          return;
        }
      }
    }
  }

  private void compute(TlsEngine engine) throws Exception {
    Suspension.offload(COMPUTERS, call, engine::compute);
    engine.awaited();
  }

  private SSLHandshakeException endedEarly() {
    return new SSLHandshakeException(this + ": the other side ended the connection");
  }

  /// A system answers bytes that nobody reads with a reset, which overtakes the alert. So they are
  /// read, for a moment.
  private void linger(SSLException refused) throws Exception {
    try {
      Suspension.within(
          LINGER,
          call,
          () -> {
            transport.shutdown();
            for (int pieces = 0; pieces < 16 && transport.read() != null; pieces++) {
              // dropped
            }
            return true;
          });
    } catch (Expired enough) {
      // it had its time
    } catch (IOException gone) {
      refused.addSuppressed(gone);
    }
  }

  @Override
  public String toString() {
    return call + " over " + transport;
  }
}
