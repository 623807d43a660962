// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.cluster.ClusterException;
import dev.couv.cluster.ClusterOptions;
import dev.couv.cluster.Credentials;
import dev.couv.coro.Loop;
import io.nats.client.AuthHandler;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.NKey;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.support.NatsUri;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The making of one connection, which may be given up while it is made: then what comes of it is
/// closed at once. Used on two threads, that of the loop and the one that connects.
final class Dial {
  private static final int MOST_DOUBLINGS = 20;

  private final NatsThreads threads;
  private final Options options;
  private final String servers;
  private final Credentials credentials;
  private final NatsErrors errors;

  /// Guarded by this.
  private boolean abandoned;

  /// In a coroutine of the loop.
  Dial(
      Loop loop,
      List<String> urls,
      ClusterOptions plan,
      ConnectionListener events,
      NatsErrors errors) {
    this.threads = new NatsThreads(loop);
    this.servers = String.join(", ", urls.stream().map(Dial::told).toList());
    this.errors = errors;
    this.credentials = plan.credentials();
    Options.Builder builder =
        new Options.Builder()
            .servers(urls.stream().map(Dial::checked).toArray(String[]::new))
            .connectionName(plan.name())
            .connectionTimeout(plan.connectTimeout())
            .maxReconnects(plan.attempts())
            .reconnectDelayHandler(round -> delay(plan, round))
            .connectionListener(events)
            .errorListener(errors)
            .dataPortType(NatsPort.class.getName())
            // The link bounds what is on its way, and waits where this would block the loop's
            // thread.
            .maxMessagesInOutgoingQueue(-1)
            .executor(threads.common())
            .connectExecutor(threads.common())
            .callbackExecutor(threads.callbacks())
            .readerExecutor(threads.common())
            .writerExecutor(threads.writing())
            .scheduledExecutor(threads.scheduled());
    if (plan.tls() != null) {
      builder.sslContext(plan.tls());
    }
    identify(builder, plan.credentials());
    options = builder.build();
  }

  /// Without the password.
  private static String told(String text) {
    return text.replaceAll("//[^/@,\\s]*@", "//");
  }

  private static String checked(String url) {
    try {
      if (url.isBlank()) {
        throw new URISyntaxException(url, "it is empty");
      }
      var _ = new NatsUri(url);
      return url;
    } catch (URISyntaxException wrong) {
      // Not as its cause, which would tell the password.
      throw new IllegalArgumentException(
          "no URL of a server: \"" + told(url) + "\", " + wrong.getReason());
    }
  }

  /// Twice as long each time, and never the same for all.
  static Duration delay(ClusterOptions plan, long round) {
    long longest = plan.longestBackoff().toNanos();
    long doubled = plan.backoff().toNanos() << Math.min(Math.max(round - 1, 0), MOST_DOUBLINGS);
    long bound = doubled <= 0 ? longest : Math.min(doubled, longest);
    return Duration.ofNanos(bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2 + 1));
  }

  private static void identify(Options.Builder builder, Credentials credentials) {
    switch (credentials) {
      case Credentials.Nobody _ -> {}
      case Credentials.User(String name, String password) ->
          builder.userInfo(name.toCharArray(), password.toCharArray());
      case Credentials.Token(String token) -> builder.token(token.toCharArray());
      case Credentials.CredentialsFile(var file) ->
          builder.authHandler(Nats.credentials(file.toString()));
      case Credentials.Seed(String seed) -> builder.authHandler(new SeedHandler(seed));
    }
  }

  /// The client asks for them when it has a connection, and if there are none it tells the server so.
  private void checkCredentials() throws IOException {
    if (credentials instanceof Credentials.CredentialsFile(Path file)) {
      byte[] text = Files.readAllBytes(file);
      try {
        AuthHandler read = Nats.staticCredentials(text);
        if (read.getID() != null && read.getJWT() != null) {
          return;
        }
      } catch (RuntimeException _) {
        // Not as its cause, which may tell the seed.
      }
      throw new IllegalArgumentException("no JWT with the seed of an nkey is in " + file);
    }
  }

  /// Blocks. On the thread that connects.
  Connection connect() throws IOException, InterruptedException {
    checkCredentials();
    Connection made;
    try {
      made = Nats.connect(options);
    } catch (IOException failed) {
      threads.endCallbacks();
      threads.end();
      IOException cause = new IOException(told(String.valueOf(failed.getMessage())));
      cause.setStackTrace(failed.getStackTrace());
      String reason = errors.last();
      throw new ClusterException(
          "cannot connect to " + servers + (reason == null ? "" : ": " + told(reason)), cause);
    }
    synchronized (this) {
      if (!abandoned) {
        return made;
      }
    }
    made.close();
    threads.end();
    throw new InterruptedException("nobody waits for the connection any more");
  }

  /// Nobody waits for it any more. Any thread; does not wait.
  synchronized void abandon() {
    abandoned = true;
    threads.end();
  }

  NatsThreads threads() {
    return threads;
  }

  /// Signs what the server asks with a key of its own.
  private static final class SeedHandler implements AuthHandler {
    private final String seed;

    private SeedHandler(String seed) {
      this.seed = seed;
      try {
        NKey.fromSeed(seed.toCharArray()).clear();
      } catch (RuntimeException _) {
        // Not with it, nor with its cause: it may be nearly right.
        throw new IllegalArgumentException("no seed of an nkey: such a one begins with SU");
      }
    }

    @Override
    public byte @Nullable [] sign(byte[] nonce) {
      NKey key = NKey.fromSeed(seed.toCharArray());
      try {
        return key.sign(nonce);
      } catch (IOException | GeneralSecurityException refused) {
        throw new IllegalStateException("the nkey cannot sign", refused);
      } finally {
        key.clear();
      }
    }

    @Override
    public char @Nullable [] getID() {
      NKey key = NKey.fromSeed(seed.toCharArray());
      try {
        return key.getPublicKey();
      } catch (IOException | GeneralSecurityException refused) {
        throw new IllegalStateException("the nkey has no public key", refused);
      } finally {
        key.clear();
      }
    }

    @Override
    public char @Nullable [] getJWT() {
      return null;
    }
  }
}
