// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Await;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The JDK's `HttpClient` in coroutines: its `send` directly on the engine that carries them, its `sendAsync` on both.
@Tag("servers")
class HttpClientTest {
  private WebServer server;

  @BeforeEach
  void start() throws Exception {
    server = WebServer.open();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static HttpClient client() {
    return HttpClient.newHttpClient();
  }

  private String get(HttpClient client, String path) throws Exception {
    return client
        .send(HttpRequest.newBuilder(server.at(path)).build(), BodyHandlers.ofString())
        .body();
  }

  /// The recipe of the manual, on either engine.
  private static <T> HttpResponse<T> send(
      HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> body) throws Exception {
    CompletableFuture<HttpResponse<T>> sent = client.sendAsync(request, body);
    try {
      return Await.stage(sent);
    } catch (Cancelled cancelled) {
      sent.cancel(true);
      throw cancelled;
    }
  }

  private String getAsync(HttpClient client, String path) throws Exception {
    return send(client, HttpRequest.newBuilder(server.at(path)).build(), BodyHandlers.ofString())
        .body();
  }

  private void untilHeld(int count) throws Exception {
    while (server.held() != count) {
      Time.sleep(Duration.ofMillis(1));
    }
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  // ---- many

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void hundredsSendDirectly() throws Exception {
    try (HttpClient client = client()) {
      assertEquals(numbers(300), Crowd.all(300, 50, each -> get(client, "/echo?" + each)));
    }
  }

  @InLoop
  @Test
  void hundredsSendAsync() throws Exception {
    try (HttpClient client = client()) {
      assertEquals(numbers(300), Crowd.all(300, 50, each -> getAsync(client, "/echo?" + each)));
    }
  }

  /// Those that the coroutine starts run on its loop, and those of the client's own thread beside it.
  @InLoop
  @Test
  void anExecutorOfVirtualThreadsWorks() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        HttpClient client = HttpClient.newBuilder().executor(threads).build()) {
      assertEquals(numbers(200), Crowd.all(200, 50, each -> getAsync(client, "/echo?" + each)));
    }
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void nothingPins() throws Exception {
    Recorded.assertNothingPins(
        () -> {
          try (HttpClient client = client()) {
            Crowd.all(50, 10, _ -> get(client, "/echo?x"));
          }
        });
  }

  // ---- cancelling

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aCancelledSendIsInterruptedAndTheClientGoesOn() throws Exception {
    try (HttpClient client = client()) {
      Coroutine<?> getter = Coroutine.spawn(() -> get(client, "/held"));
      untilHeld(1);

      getter.cancel();

      Throwable cancelled = assertThrows(CancellationException.class, getter::await);
      assertInstanceOf(InterruptedException.class, cancelled.getCause().getCause());
      assertEquals("next", get(client, "/echo?next"));
      server.release(1);
    }
  }

  @InLoop
  @Test
  void aCancelledStageIsCancelledByTheRecipe() throws Exception {
    try (HttpClient client = client()) {
      List<Coroutine<?>> getters = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        getters.add(Coroutine.spawn(() -> getAsync(client, "/held")));
      }
      untilHeld(100);

      getters.forEach(Coroutine::cancel);

      for (Coroutine<?> each : getters) {
        assertThrows(CancellationException.class, each::await);
      }
      assertEquals("next", getAsync(client, "/echo?next"));
      server.release(100);
    } // which waits for the requests that are not over
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aBodyThatStopsIsLeft() throws Exception {
    try (HttpClient client = client()) {
      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(50), () -> get(client, "/endless")));

      assertEquals("next", get(client, "/echo?next"));
    }
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aBodyThatIsReadAsAStreamIsLeft() throws Exception {
    try (HttpClient client = client()) {
      HttpRequest request = HttpRequest.newBuilder(server.at("/endless")).build();
      try (InputStream body = client.send(request, BodyHandlers.ofInputStream()).body()) {
        assertEquals("begun", new String(body.readNBytes(5), UTF_8));
        assertThrows(
            TimeoutException.class, () -> Time.timeout(Duration.ofMillis(20), () -> body.read()));
      }

      assertEquals("next", get(client, "/echo?next"));
    }
  }

  @InLoop
  @Test
  void itsOwnTimeoutIsAFailure() throws Exception {
    try (HttpClient client = client()) {
      HttpRequest request =
          HttpRequest.newBuilder(server.at("/held")).timeout(Duration.ofMillis(50)).build();

      assertThrows(
          HttpTimeoutException.class, () -> send(client, request, BodyHandlers.ofString()));
      server.release(1);
    }
  }

  @InLoop
  @Test
  void aServerThatIsNotThereIsAFailure() throws Exception {
    URI place = server.at("/");
    server.close();
    try (HttpClient client = client()) {
      HttpRequest request = HttpRequest.newBuilder(place).build();

      assertThrows(IOException.class, () -> send(client, request, BodyHandlers.ofString()));
    }
  }
}
