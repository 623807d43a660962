// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Resumed;
import dev.couv.error.BusyException;
import dev.couv.http.serve.Lingering;
import dev.couv.net.TcpStream;
import dev.couv.net.TlsStream;
import dev.couv.stream.ByteStream;
import dev.couv.time.Time;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/// How a server lets go of a connection: so that the client gets the last answer, or sees that it did not get all of it.
final class ConnectionEnd {
  private final ByteStream stream;
  private final Inflow in;
  private final Outflow out;

  ConnectionEnd(ByteStream stream, Inflow in, Outflow out) {
    this.stream = stream;
    this.in = in;
    this.out = out;
  }

  /// The answer was the last. A connection that is closed while bytes come in is reset, and then the client may never see
  /// the answer: so it is ended, and what still comes is taken for a while.
  void linger() throws Exception {
    finish();
    try {
      Time.timeout(
          Lingering.TIME,
          () -> {
            long taken = 0;
            do {
              taken += in.skip(Long.MAX_VALUE);
            } while (taken < Lingering.BYTES && in.fill());
          });
    } catch (TimeoutException | IOException | BusyException over) {
      // it had its time, or somebody still reads a body
    }
  }

  /// All that was answered is on its way, or torn.
  void finish() throws IOException {
    try {
      out.finish();
    } catch (Cancelled | Resumed leaving) {
      giveUp();
      throw leaving;
    }
  }

  /// The client must see that it has not got all of the answer. TLS would say that this is the end, so it is torn below.
  void tear() throws IOException {
    ByteStream below = stream instanceof TlsStream tls ? tls.transport() : stream;
    if (below instanceof TcpStream tcp) {
      tcp.reset();
    } else {
      below.close();
    }
  }

  /// Nobody waits for the client any more, who must not take what he has got for the whole.
  void giveUp() {
    try {
      if (out.isStalled()) {
        tear();
      }
    } catch (IOException broken) {
      // it is closed all the same
    } finally {
      stream.close();
    }
  }
}
