// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Await;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.net.Names;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// OkHttp in coroutines: `execute` directly on the engine that carries them, `enqueue` on both.
@Tag("servers")
class OkHttpTest {
  private WebServer server;
  private OkHttpClient client;

  @BeforeEach
  void start() throws Exception {
    server = WebServer.open();
    client =
        new OkHttpClient.Builder()
            .connectionPool(new ConnectionPool(20, 1, TimeUnit.MINUTES))
            .readTimeout(Duration.ofMinutes(1))
            .build();
    client.dispatcher().setMaxRequestsPerHost(20);
  }

  @AfterEach
  void stop() {
    client.dispatcher().executorService().shutdown();
    client.connectionPool().evictAll();
    server.close();
  }

  private Call call(String path) {
    return client.newCall(new Request.Builder().url(server.at(path).toString()).build());
  }

  private String get(String path) throws IOException {
    try (Response response = call(path).execute()) {
      return response.body().string();
    }
  }

  /// The recipe of the manual, on either engine. The callback is run by a thread of the library, so it reads the body, too.
  private String getEnqueued(String path) throws Exception {
    Call call = call(path);
    CompletableFuture<String> answer = new CompletableFuture<>();
    call.enqueue(
        new Callback() {
          @Override
          public void onResponse(Call each, Response response) throws IOException {
            try (response) {
              answer.complete(response.body().string());
            } catch (IOException failure) {
              answer.completeExceptionally(failure);
            }
          }

          @Override
          public void onFailure(Call each, IOException failure) {
            answer.completeExceptionally(failure);
          }
        });
    try {
      return Await.stage(answer);
    } catch (Cancelled cancelled) {
      call.cancel();
      throw cancelled;
    }
  }

  private void untilHeld(int count) {
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
  void hundredsExecuteDirectly() throws Exception {
    assertEquals(numbers(300), Crowd.all(300, 50, each -> get("/echo?" + each)));
  }

  @InLoop
  @Test
  void hundredsAreEnqueued() throws Exception {
    assertEquals(numbers(300), Crowd.all(300, 300, each -> getEnqueued("/echo?" + each)));
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void nothingPins() throws Exception {
    Recorded.assertNothingPins(() -> Crowd.all(50, 10, _ -> get("/echo?x")));
  }

  /// Its own lookup is the JDK's, which holds the thread.
  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void namesAreLookedUpInTheCoroutine() throws Exception {
    List<Coroutine<?>> askers = new ArrayList<>();
    OkHttpClient named =
        client
            .newBuilder()
            .dns(
                host -> {
                  askers.add(Coroutine.current());
                  return lookUp(host);
                })
            .build();
    Request request =
        new Request.Builder().url("http://localhost:" + server.port() + "/echo?found").build();

    try (Response response = named.newCall(request).execute()) {
      assertEquals("found", response.body().string());
    }
    assertEquals(List.of(Coroutine.current()), askers);
  }

  private static List<InetAddress> lookUp(String host) throws UnknownHostException {
    try {
      return Names.resolve(host).stream().map(InetSocketAddress::getAddress).toList();
    } catch (UnknownHostException unknown) {
      throw unknown;
    } catch (IOException failed) {
      throw (UnknownHostException) new UnknownHostException(host).initCause(failed);
    }
  }

  // ---- cancelling

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aCancelledCallIsInterruptedAndTheClientGoesOn() throws Exception {
    Coroutine<?> getter = Coroutine.spawn(() -> get("/held"));
    untilHeld(1);

    getter.cancel();

    Throwable cancelled = assertThrows(CancellationException.class, getter::await);
    assertInstanceOf(IOException.class, cancelled.getCause().getCause());
    assertEquals("next", get("/echo?next"));
    assertEquals(1, client.connectionPool().connectionCount());
    server.release(1);
  }

  @InLoop
  @Test
  void manyCancelledAtOnceAreCancelledByTheRecipe() throws Exception {
    List<Coroutine<?>> getters = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      getters.add(Coroutine.spawn(() -> getEnqueued("/held")));
    }
    untilHeld(20); // and the others wait in the client's queue

    getters.forEach(Coroutine::cancel);

    for (Coroutine<?> each : getters) {
      assertThrows(CancellationException.class, each::await);
    }
    assertEquals("next", getEnqueued("/echo?next"));
    server.release(20);
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void aBodyThatStopsIsLeft() throws Exception {
    assertThrows(
        TimeoutException.class, () -> Time.timeout(Duration.ofMillis(50), () -> get("/endless")));

    assertEquals("next", get("/echo?next"));
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void itsOwnTimeoutIsAFailure() {
    OkHttpClient hasty = client.newBuilder().callTimeout(Duration.ofMillis(50)).build();
    Request request = new Request.Builder().url(server.at("/held").toString()).build();

    assertThrows(InterruptedIOException.class, () -> hasty.newCall(request).execute().close());
    server.release(1);
  }
}
