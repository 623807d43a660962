// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.BrokenException;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.http.HttpServer;
import dev.couv.http.Response;
import dev.couv.http.WebClient;
import dev.couv.net.ListenOptions;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.pool.LoopPool;
import dev.couv.pool.PoolServer;
import dev.couv.pool.Spread;
import dev.couv.resilience.Retry;
import dev.couv.stream.ByteStream;
import dev.couv.sync.Resources;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;

/// Parts of Couv under many seeds. `tools/simulate` tries ten thousand of each: so each seed is a few simulated seconds, full of
/// faults, and then some in peace.
@Tag("storm")
final class OurselvesTest {
  private static final InetSocketAddress PORT = new InetSocketAddress(7);

  private static void echo() throws Exception {
    try (TcpListener listener = Tcp.listen(PORT)) {
      listener.serve(peer -> ByteStream.copy(peer, peer));
    }
  }

  private static void fair(Simulation sim, String... hosts) {
    sim.weather(sim.sometimes("storm") ? Weather.STORM : Weather.CALM);
    sim.chaos(
        Chaos.of(hosts)
            .withUntil(Duration.ofSeconds(5))
            .withPace(Duration.ofMillis(600), Duration.ofMillis(500)));
  }

  /// One address is nobody's, one is that of a host that may be down, one always answers.
  @SimTest(seeds = 40)
  void happyEyeballsFindWhoeverAnswers(Simulation sim) {
    sim.host("one", OurselvesTest::echo);
    sim.host("two", OurselvesTest::echo);
    sim.host("steady", OurselvesTest::echo);
    sim.alias(
        "service",
        InetAddress.ofLiteral("192.0.2.1"),
        sim.address("one"),
        sim.address("two"),
        sim.address("steady"));
    fair(sim, "one", "two");
    sim.client(
        "user",
        () -> {
          Time.sleep(Duration.ofMillis(10));
          for (int i = 0; i < 8; i++) {
            Duration before = sim.elapsed();
            try (TcpStream stream = Tcp.connect("service", 7)) {
              Duration took = sim.elapsed().minus(before);
              assertTrue(took.toSeconds() < 5, () -> "it took " + took);
              assertTrue(stream.isOpen());
            }
            Time.sleep(Duration.ofMillis(sim.random().nextInt(1200)));
          }
        });
  }

  @SimTest(seeds = 40)
  void resourcesAndRetriesOutliveTheirServer(Simulation sim) {
    sim.host("echo", OurselvesTest::echo);
    AtomicInteger opened = new AtomicInteger();
    sim.always("no more than three are open", () -> opened.get() <= 3);
    sim.host(
        "user",
        () -> {
          opened.set(0);
          try (Resources<TcpStream> pool =
              Resources.of(() -> count(opened))
                  .max(3)
                  .disposal(
                      stream -> {
                        opened.decrementAndGet();
                        stream.close();
                      })
                  .open()) {
            while (true) {
              Loop.run(
                  () -> {
                    for (int i = 0; i < 6; i++) {
                      Coroutine.spawn(() -> talk(pool));
                    }
                  });
              Time.sleep(Duration.ofMillis(500));
            }
          }
        });
    fair(sim, "echo", "user");
    sim.client("clock", () -> Time.sleep(Duration.ofSeconds(10)));
  }

  private static TcpStream count(AtomicInteger opened) throws Exception {
    TcpStream stream = Time.timeout(Duration.ofSeconds(2), () -> Tcp.connect("echo", 7));
    opened.incrementAndGet();
    return stream;
  }

  /// Gives up what does not answer.
  private static void talk(Resources<TcpStream> pool) throws Exception {
    try {
      Retry.of()
          .withAttempts(3)
          .run(
              () -> {
                try (var lease = pool.acquire(Duration.ofSeconds(10))) {
                  try {
                    lease.resource().write("ping");
                    ByteBuffer answer = ByteBuffer.allocate(4);
                    Time.timeout(Duration.ofSeconds(1), () -> lease.resource().readFully(answer));
                    assertEquals("ping", UTF_8.decode(answer.flip()).toString());
                  } catch (IOException | TimeoutException lost) {
                    lease.discard();
                    throw lost;
                  }
                }
                return true;
              });
    } catch (IOException | TimeoutException | BrokenException lost) {
      Coroutine.pause();
    }
  }

  @SimTest(seeds = 40)
  void httpAnswersWhatWasAsked(Simulation sim) {
    sim.host(
        "web",
        () -> {
          try (HttpServer server = HttpServer.open(new InetSocketAddress(80))) {
            server.route(
                "GET", "/{name}", request -> Response.text("it is " + request.value("name")));
            server.serve();
          }
        });
    AtomicInteger answered = new AtomicInteger();
    sim.host(
        "user",
        () -> {
          try (WebClient client = WebClient.open()) {
            for (int i = 0; ; i++) {
              String name = "n" + i;
              try {
                String text =
                    Time.timeout(
                        Duration.ofSeconds(2),
                        () -> {
                          try (var answer = client.get("http://web/" + name)) {
                            return answer.text(1000);
                          }
                        });
                assertEquals("it is " + name, text);
                answered.incrementAndGet();
              } catch (IOException | TimeoutException lost) {
                Time.sleep(Duration.ofMillis(100));
              }
              Time.sleep(Duration.ofMillis(300));
            }
          }
        });
    fair(sim, "web", "user");
    sim.client("clock", () -> Time.sleep(Duration.ofSeconds(15)));
    sim.eventually("it was answered", () -> answered.get() > 0);
  }

  /// One port and three loops, opened again and again; each piece of a connection comes back, whichever loop has it.
  @SimTest(seeds = 40)
  void aPoolServesOnAllItsLoops(Simulation sim) {
    AtomicInteger answered = new AtomicInteger();
    sim.host(
        "pool",
        () -> {
          while (true) {
            try (LoopPool pool = LoopPool.open(3);
                PoolServer server =
                    pool.serve(
                        PORT,
                        ListenOptions.DEFAULT,
                        sim.sometimes("handed over") ? Spread.HAND_OVER : Spread.SYSTEM,
                        peer -> ByteStream.copy(peer, peer))) {
              assertEquals(List.of(1, 4, 9), pool.map(List.of(1, 2, 3), each -> each * each));
              Time.sleep(Duration.ofMillis(sim.random().nextInt(500, 8000)));
              assertFalse(server.isClosed());
            }
          }
        });
    sim.host(
        "user",
        () -> {
          while (true) {
            Loop.run(
                () -> {
                  for (int i = 0; i < 4; i++) {
                    Coroutine.spawn(() -> talk(answered));
                  }
                });
            Time.sleep(Duration.ofMillis(700));
          }
        });
    fair(sim, "pool", "user");
    sim.client("clock", () -> Time.sleep(Duration.ofSeconds(8)));
    sim.eventually("it answered", () -> answered.get() > 0);
  }

  private static void talk(AtomicInteger answered) throws Exception {
    try {
      Time.timeout(
          Duration.ofSeconds(3),
          () -> {
            try (TcpStream stream = Tcp.connect("pool", 7)) {
              for (int i = 0; i < 3; i++) {
                String sent = "piece" + i;
                stream.write(sent);
                ByteBuffer answer = ByteBuffer.allocate(sent.length());
                stream.readFully(answer);
                assertEquals(sent, UTF_8.decode(answer.flip()).toString());
                answered.incrementAndGet();
              }
            }
          });
    } catch (IOException | TimeoutException lost) {
      Coroutine.pause();
    }
  }

  /// A counter that is written to another file, flushed and moved: what was acknowledged is never forgotten.
  @SimTest(seeds = 40)
  void aFileThatIsReplacedAndFlushedKeepsWhatWasAcknowledged(Simulation sim) {
    AtomicInteger acknowledged = new AtomicInteger();
    sim.host(
        "counter",
        () -> {
          Path file = Path.of("/counter");
          Path next = Path.of("/counter.next");
          int found = Fs.exists(file) ? Integer.parseInt(Fs.readString(file)) : 0;
          assertTrue(found >= acknowledged.get(), found + " of " + acknowledged);
          while (true) {
            found++;
            Fs.writeString(next, Integer.toString(found));
            try (OpenFile open = Fs.open(next, StandardOpenOption.WRITE)) {
              open.flush();
            }
            Fs.move(next, file);
            try (OpenFile open = Fs.open(file, StandardOpenOption.WRITE)) {
              open.flush();
            }
            acknowledged.set(found);
            Time.sleep(Duration.ofMillis(100));
          }
        });
    fair(sim, "counter");
    sim.client("clock", () -> Time.sleep(Duration.ofSeconds(8)));
    sim.eventually("it counted", () -> acknowledged.get() > 0);
  }
}
