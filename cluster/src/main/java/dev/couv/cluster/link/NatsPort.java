// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import io.nats.client.Options;
import io.nats.client.impl.SocketDataPort;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The socket of a connection, as the client has it, with one thing more: when the client's reader
/// comes for more bytes it has dealt out the messages in those it had, and the [Intake] is told.
///
/// The client makes it by its name, one for each attempt to connect.
public final class NatsPort extends SocketDataPort {
  /// A listener of the options that is this, too, is told on the thread that reads.
  interface Reader {
    /// What was read is dealt out.
    void dealtOut();
  }

  private @Nullable Reader reader;

  @Override
  public void afterConstruct(Options options) {
    super.afterConstruct(options);
    if (options.getConnectionListener() instanceof Reader known) {
      reader = known;
    }
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (reader != null) {
      reader.dealtOut();
    }
    return super.read(into, offset, length);
  }
}
