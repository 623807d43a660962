// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import io.nats.client.Connection;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// What the client of NATS complains of, on threads of its own: for the log. What matters to a
/// program it is told by states and exceptions.
final class NatsErrors implements ErrorListener {
  static final Logger LOG = System.getLogger("dev.couv.cluster");

  private final Runnable dropped;

  /// What was last complained of, for one who cannot connect.
  private volatile @Nullable String last;

  /// @param dropped is run when the client has dropped messages that were not taken
  NatsErrors(Runnable dropped) {
    this.dropped = dropped;
  }

  @Override
  public void errorOccurred(Connection connection, String error) {
    last = error;
    LOG.log(Level.WARNING, "the server says: " + error);
  }

  @Override
  public void exceptionOccurred(Connection connection, Exception thrown) {
    if (last == null) {
      last = reason(thrown);
    }
    LOG.log(Level.DEBUG, "the connection to the server", thrown);
  }

  /// In words of ours where those of the client, or of Java, say too little.
  private static String reason(Exception thrown) {
    Throwable root = thrown;
    while (root instanceof ExecutionException && root.getCause() != null) {
      root = root.getCause();
    }
    String message = root.getMessage();
    if (message == null) {
      return root.toString();
    }
    if (root instanceof UnknownHostException) {
      return "unknown host " + message;
    }
    return switch (message) {
      case "SSL connection wanted by client." -> "the server has no TLS";
      case "SSL required by server." -> "the server wants TLS";
      default -> message;
    };
  }

  @Nullable String last() {
    return last;
  }

  @Override
  public void slowConsumerDetected(Connection connection, Consumer consumer) {
    LOG.log(Level.WARNING, "messages come faster than they can be handed to the loop");
    dropped.run();
  }
}
