// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.cluster.ClusterException;
import dev.couv.cluster.UnknownOutcomeException;
import dev.couv.coro.Await;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.time.Time;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Calls of the client that block: each is made on another thread, and what it throws is a
/// [ClusterException].
final class NatsCalls {
  /// What the server says of a stream that is there, but otherwise.
  static final int STREAM_EXISTS = 10058;

  /// What it says of a key that was changed meanwhile.
  static final int WRONG_LAST_SEQUENCE = 10071;

  /// From here on it is the server's trouble, not the caller's: no leader yet, no server for it
  /// now.
  private static final int UNAVAILABLE = 503;

  /// How long one of them waits for its answer: no longer than it takes to find that somebody else
  /// is to be asked. The client's own rule is to wait as long as for a connection.
  static final JetStreamOptions EACH =
      JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(5)).build();

  private static final Duration PAUSE = Duration.ofMillis(250);

  private NatsCalls() {}

  /// Makes it once. Whoever waits for it when the connection ends is told so, and the other thread interrupted: the client
  /// would let it wait for its whole time.
  static <T extends @Nullable Object> T call(NatsLink link, Callable<T> blocking) throws Exception {
    if (link.over().isDone()) {
      throw closed();
    }
    try {
      return Await.<T>race(
          () -> Loop.offload(blocking),
          () -> {
            link.over().await();
            throw closed();
          });
    } catch (JetStreamApiException refused) {
      throw new ClusterException("the server refuses: " + refused.getMessage(), refused);
    } catch (ClusterException | ClosedException known) {
      throw known;
    } catch (IOException | IllegalStateException lost) {
      throw new ClusterException("the server does not answer: " + lost.getMessage(), lost);
    }
  }

  /// Makes it once, for what changes something: that nobody has answered says nothing of whether it was done.
  ///
  /// @throws UnknownOutcomeException if it may have been
  static <T extends @Nullable Object> T change(NatsLink link, Callable<T> blocking)
      throws Exception {
    try {
      return call(link, blocking);
    } catch (ClusterException failed) {
      throw isPassing(failed)
          ? new UnknownOutcomeException(String.valueOf(failed.getMessage()), failed.getCause())
          : failed;
    }
  }

  private static ClosedException closed() {
    return new ClosedException("the cluster is closed");
  }

  /// Makes it again while no server is there for it, for as long as an answer may take: for what
  /// may be done twice.
  static <T extends @Nullable Object> T insist(NatsLink link, Callable<T> blocking)
      throws Exception {
    long limit = System.nanoTime() + link.options().answerTimeout().toNanos();
    while (true) {
      try {
        return call(link, blocking);
      } catch (ClusterException failed) {
        if (hasNowhereElse(link)) {
          throw new ClusterException(
              "the server keeps nothing: start it with JetStream (nats-server --jetstream)",
              failed);
        }
        if (System.nanoTime() - limit > 0 || !isPassing(failed)) {
          throw failed;
        }
      }
      Time.sleep(PAUSE);
    }
  }

  /// Than with a server that has no JetStream: nobody is known who might have it instead.
  private static boolean hasNowhereElse(NatsLink link) {
    Connection connection = link.connection();
    return connection.getStatus() == Connection.Status.CONNECTED
        && !connection.getServerInfo().isJetStreamAvailable()
        && connection.getServers().size() <= 1;
  }

  private static boolean isPassing(ClusterException failed) {
    return failed.getCause() instanceof JetStreamApiException refused
        ? refused.getErrorCode() >= UNAVAILABLE
        : failed.getCause() instanceof IOException;
  }
}
