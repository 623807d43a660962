// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.pool.LoopPool;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Spans follow coroutines and scopes.
@InLoop
@SuppressWarnings("try") // an interrupt is as good an exception as any
class SpansTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Ended ended = new Ended();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(ended)).build();
  private final Spans spans = Spans.of(provider.get("test"));

  @AfterEach
  void close() {
    provider.close();
  }

  private SpanData span(String name) {
    List<SpanData> found =
        ended.spans().stream().filter(each -> each.getName().equals(name)).toList();
    assertEquals(1, found.size(), () -> name + " of " + ended.spans());
    return found.getFirst();
  }

  private void assertInside(String inner, String outer) {
    assertEquals(span(outer).getSpanId(), span(inner).getParentSpanId());
    assertEquals(span(outer).getTraceId(), span(inner).getTraceId());
  }

  // ---- bodies

  @Test
  void bodiesNestAndStayCurrentOverAwaits() throws Exception {
    String result =
        spans.run(
            "outer",
            () -> {
              Span outer = Span.current();
              Coroutine.pause();
              spans.run("inner", () -> Time.sleep(Duration.ofMillis(1)));
              assertSame(outer, Span.current());
              return "result";
            });

    assertEquals("result", result);
    assertInside("inner", "outer");
    assertSame(Context.root(), Spans.current());
  }

  /// Each has its own, however their turns alternate.
  @Test
  void coroutinesDoNotDisturbEachOther() throws Exception {
    Coroutine<?> a = spans.spawn("a", () -> step("a"));
    Coroutine<?> b = spans.spawn("b", () -> step("b"));
    a.await();
    b.await();

    for (int i = 0; i < 3; i++) {
      assertInside("a" + i, "a");
      assertInside("b" + i, "b");
    }
  }

  private void step(String name) throws Exception {
    for (int i = 0; i < 3; i++) {
      spans.run(name + i, () -> Coroutine.pause());
    }
  }

  @Test
  void aFailureIsTheStatus() {
    assertThrows(
        IOException.class,
        () ->
            spans.run(
                "failing",
                () -> {
                  throw new IOException("on purpose");
                }));

    assertEquals(StatusCode.ERROR, span("failing").getStatus().getStatusCode());
    assertEquals("exception", span("failing").getEvents().getFirst().getName());
    assertSame(Context.root(), Spans.current());
  }

  @Test
  void aCancellationIsNoFailure() throws Exception {
    Coroutine<?> sleeper = spans.spawn("sleeper", () -> Time.sleep(HOUR));
    Loop.awaitIdle();

    sleeper.cancel();

    assertThrows(CancellationException.class, sleeper::await);
    assertEquals(StatusCode.UNSET, span("sleeper").getStatus().getStatusCode());
    assertEquals(
        true, span("sleeper").getAttributes().get(AttributeKey.booleanKey("couv.cancelled")));
  }

  @Test
  void oneThatNeverBeginsHasNoSpan() {
    Coroutine<?> never = spans.spawn("never", () -> Time.sleep(HOUR));

    never.cancel();

    assertThrows(CancellationException.class, never::await);
    assertEquals(List.of(), ended.spans());
  }

  // ---- spawning

  @Test
  void aSpawnedCoroutineIsInsideItsSpawnersSpan() throws Exception {
    Coroutine<?> child = spans.run("request", () -> spans.spawn("child", () -> Coroutine.pause()));
    child.await();

    assertInside("child", "request");
    assertEquals("child", child.name());
  }

  @Test
  void oneThatIsSpawnedPlainlyBeginsAnew() throws Exception {
    spans.run(
        "request",
        () -> Coroutine.spawn(() -> spans.run("apart", () -> Coroutine.pause())).await());

    assertEquals("0000000000000000", span("apart").getParentSpanId());
  }

  // ---- scopes

  @Test
  void allCoroutinesOfAScopeAreInsideItsSpan() throws Exception {
    spans.run(
        "request",
        () -> {
          try (Scope scope = spans.open("scope")) {
            scope.spawn(() -> spans.run("plainly", () -> Coroutine.pause()));
            spans.spawn(scope, "child", () -> deeper());
            scope.join();
          }
        });

    assertInside("scope", "request");
    assertInside("plainly", "scope");
    assertInside("deep", "child");
    // The spawner is not in the scope, and says what the child is inside of.
    assertInside("child", "request");
  }

  private void deeper() throws Exception {
    spans.run("deep", () -> Coroutine.pause());
  }

  @Test
  void aScopeInsideIsInsideToo() throws Exception {
    try (Scope outer = spans.open("outer")) {
      outer.spawn(
          () -> {
            try (Scope inner = Scope.open()) {
              inner.spawn(() -> spans.run("innermost", () -> Coroutine.pause()));
            }
          });
      outer.join();
    }

    assertInside("innermost", "outer");
  }

  @Test
  void aScopesSpanEndsWithItsFailure() {
    assertThrows(
        IOException.class,
        () -> {
          try (Scope scope = spans.open("scope")) {
            scope.spawn(
                () -> {
                  throw new IOException("on purpose");
                });
          }
        });

    assertEquals(StatusCode.ERROR, span("scope").getStatus().getStatusCode());
  }

  @Test
  void aCancelledScopeIsToldSo() throws Exception {
    try (Scope scope = spans.open("scope")) {
      scope.spawn(() -> Time.sleep(HOUR));
      scope.cancel();
    }

    assertEquals(StatusCode.UNSET, span("scope").getStatus().getStatusCode());
    assertEquals(
        true, span("scope").getAttributes().get(AttributeKey.booleanKey("couv.cancelled")));
  }

  // ---- elsewhere

  @Test
  void otherThreadsAndLoopsAreCarriedTo() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      spans.run(
          "request",
          () -> {
            Loop.offload(
                Spans.carrying(
                    () -> {
                      spans.run("offloaded", () -> {});
                      return null;
                    }));
            pool.submit(
                    Spans.carrying(
                        () -> {
                          spans.run("on another loop", () -> Coroutine.pause());
                          return null;
                        }))
                .await();
          });
    }

    assertInside("offloaded", "request");
    assertInside("on another loop", "request");
  }

  @Test
  void misuseIsRefusedAtOnce() {
    assertThrows(NullPointerException.class, () -> Spans.of(null));
    assertThrows(NullPointerException.class, () -> spans.open(null));
    assertThrows(NullPointerException.class, () -> Spans.carrying(null));
    assertThrows(NullPointerException.class, () -> spans.spawn(null, () -> {}));
    assertTrue(ended.spans().isEmpty());
    assertNotNull(Spans.current());
  }
}
