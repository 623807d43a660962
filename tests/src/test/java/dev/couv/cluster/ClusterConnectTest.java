// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// How a cluster is connected, and what is left when it is not.
@Tag("servers")
@SuppressWarnings("try") // some are only there
class ClusterConnectTest extends ServerFixture {
  @TempDir Path folder;

  @Test
  void whereThereIsNoServerNothingIsLeft() throws Exception {
    String url = server.url();
    kill();

    ClusterException told =
        assertThrows(ClusterException.class, () -> Cluster.connect(options, url));

    assertTrue(told.getMessage().contains(url), told::getMessage);
    restart();
  }

  @Test
  void thePasswordOfAUrlIsNotTold() throws Exception {
    String url = server.url().replace("//", "//ann:s3cret@");
    kill();
    for (String each : List.of(url, "nats://ann:s3cret@127.0.0.1:port", "http://ann:s3cret@a")) {
      Exception told = assertThrows(Exception.class, () -> Cluster.connect(options, each));
      StringWriter text = new StringWriter();
      told.printStackTrace(new PrintWriter(text));

      assertFalse(text.toString().contains("s3cret"), text::toString);
    }
    restart();
  }

  @Test
  void aServerThatKeepsNothingIsToldAtOnce() throws Exception {
    try (NatsServer plain = Loop.offload(() -> NatsServer.open("--jetstream=false"));
        Cluster cluster =
            Cluster.connect(options.withAnswerTimeout(Duration.ofHours(1)), plain.url())) {
      for (Executable each :
          List.<Executable>of(
              () -> cluster.queue("jobs", Codec.text()), () -> cluster.keys("k", Codec.text()))) {
        ClusterException told = assertThrows(ClusterException.class, each);

        assertTrue(told.getMessage().contains("--jetstream"), told::getMessage);
      }
    }
  }

  @Test
  void whatIsNoUrlIsRefused() {
    for (String each : List.of("", " ", "http://127.0.0.1:4222", "nats://127.0.0.1:port")) {
      assertThrows(IllegalArgumentException.class, () -> Cluster.connect(options, each), each);
    }
  }

  @Test
  void aCancelledConnectLeavesNothing() throws Exception {
    try (Wire wire = Wire.to(server)) {
      wire.hold(); // the server's first word does not come
      Coroutine<Cluster> connecting = Coroutine.spawn(() -> join(wire));
      until(() -> !NoThreadsLeft.left().isEmpty());

      connecting.cancel();

      Await.settle(connecting);
      until(() -> NoThreadsLeft.left().isEmpty());
    }
  }

  /// A machine that is busy may need more than the usual two seconds to say who it is.
  private NatsServer guarded(String by) throws Exception {
    String text = "authorization { " + by + ", timeout: 60 }\n";
    Path config = Files.writeString(folder.resolve("nats.conf"), text);
    return Loop.offload(() -> NatsServer.open("--config", config.toString()));
  }

  @Test
  void wrongCredentialsAreToldAndRightOnesLetIn() throws Exception {
    try (NatsServer guarded = guarded("user: ann, password: s3cret")) {
      ClusterOptions wrong =
          options
              .withConnectTimeout(Duration.ofSeconds(2))
              .withCredentials(Credentials.user("ann", "guess"));
      ClusterOptions right = options.withCredentials(Credentials.user("ann", "s3cret"));
      ClusterException told =
          assertThrows(ClusterException.class, () -> Cluster.connect(wrong, guarded.url()));
      assertTrue(!told.getMessage().contains("guess"), told::getMessage);
      assertTrue(told.getMessage().contains("Authorization Violation"), told::getMessage);
      try (Cluster cluster = Cluster.connect(right, guarded.url())) {
        cluster.flush();
      }
    }
  }

  @Test
  void aTokenLetsIn() throws Exception {
    try (NatsServer guarded = guarded("token: t0ken")) {
      ClusterOptions nobody = options.withConnectTimeout(Duration.ofSeconds(2));
      assertThrows(ClusterException.class, () -> Cluster.connect(nobody, guarded.url()));
      try (Cluster cluster =
          Cluster.connect(options.withCredentials(Credentials.token("t0ken")), guarded.url())) {
        cluster.flush();
      }
    }
  }

  @Test
  void credentialsThatAreNoneAreToldBeforeAServerIsAsked() throws Exception {
    Path rubbish = Files.writeString(folder.resolve("rubbish.creds"), "rubbish");
    Credentials missing = Credentials.file(folder.resolve("missing.creds"));

    NoSuchFileException none =
        assertThrows(NoSuchFileException.class, () -> join(options.withCredentials(missing)));
    IllegalArgumentException noSeed =
        assertThrows(
            IllegalArgumentException.class,
            () -> join(options.withCredentials(Credentials.seed("rubbish"))));
    IllegalArgumentException nothingIn =
        assertThrows(
            IllegalArgumentException.class,
            () -> join(options.withCredentials(Credentials.file(rubbish))));

    assertTrue(none.getMessage().contains("missing.creds"), none::getMessage);
    assertFalse(noSeed.getMessage().contains("rubbish"), noSeed::getMessage);
    assertTrue(nothingIn.getMessage().contains("rubbish.creds"), nothingIn::getMessage);
  }

  @Test
  void whyThereIsNoConnectionIsTold() throws Exception {
    ClusterOptions quick = options.withConnectTimeout(Duration.ofSeconds(10));
    ClusterException unknown =
        assertThrows(
            ClusterException.class,
            () -> Cluster.connect(quick, "nats://no.such.host.invalid:4222"));
    ClusterException plain =
        assertThrows(
            ClusterException.class,
            () -> Cluster.connect(quick, server.url().replace("nats:", "tls:")));

    assertTrue(
        unknown.getMessage().endsWith(": unknown host no.such.host.invalid"), unknown::getMessage);
    assertTrue(plain.getMessage().endsWith(": the server has no TLS"), plain::getMessage);
  }
}
