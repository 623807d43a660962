// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/// The JDK's engine, and the only place that makes records with it, or reads them. The other side decides what the engine answers, so
/// nothing is taken for granted here.
///
/// ## Progress
///
/// Every loop over the engine's answers must go on or wait: a turn that does neither never ends, and
/// nobody else on the loop gets one. So calls are counted that moved no byte and no state since the last
/// wait, of which [#awaited] tells. A few are ordinary; more are a failure of the stream, wherever the
/// loop is.
///
/// ## Failures
///
/// Whatever comes out of the engine is an `SSLException`: bytes from outside must not become a failure
/// that only a programming error explains.
final class TlsEngine {
  /// No state needs more calls in vain than this.
  private static final int MOST_IN_VAIN = 4;

  private final SSLEngine engine;
  private HandshakeStatus last = HandshakeStatus.NOT_HANDSHAKING;
  private int inVain;

  TlsEngine(SSLEngine engine) {
    this.engine = engine;
  }

  /// To be asked, and told all that makes and reads no record.
  SSLEngine jdk() {
    return engine;
  }

  SSLEngineResult unwrap(ByteBuffer from, ByteBuffer into) throws SSLException {
    try {
      return counted(engine.unwrap(from, into));
    } catch (RuntimeException wrong) {
      throw confused(wrong);
    }
  }

  SSLEngineResult wrap(ByteBuffer[] from, ByteBuffer into) throws SSLException {
    try {
      return counted(engine.wrap(from, into));
    } catch (RuntimeException wrong) {
      throw confused(wrong);
    }
  }

  private static SSLException confused(RuntimeException wrong) {
    return new SSLException("the engine could not cope: " + wrong, wrong);
  }

  private SSLEngineResult counted(SSLEngineResult result) throws SSLException {
    HandshakeStatus status = result.getHandshakeStatus();
    boolean moved = result.bytesConsumed() > 0 || result.bytesProduced() > 0 || status != last;
    last = status;
    inVain = moved ? 0 : inVain + 1;
    if (inVain > MOST_IN_VAIN) {
      throw new SSLException("the engine gets nowhere: " + result.getStatus() + ", " + status);
    }
    return result;
  }

  /// The caller has waited: for bytes, for room, for a computation.
  void awaited() {
    inVain = 0;
  }

  /// What it has to compute before it goes on. On another thread.
  boolean compute() {
    for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
      task.run();
    }
    return true;
  }

  /// Whether it has something to say by itself.
  boolean owes() {
    return engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
  }

  /// Whether the directions end one by one, and keys change without a handshake.
  boolean isTls13() {
    return engine.getSession().getProtocol().equals("TLSv1.3");
  }
}
