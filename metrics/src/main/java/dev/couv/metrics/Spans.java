// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Spans of OpenTelemetry around what coroutines do.
///
/// A coroutine has a thread of its own, so what is current in it stays so over every await. What it spawns begins anew; these
/// calls carry the context over, and a scope from [#open] has one for all its coroutines.
///
/// A span ends with its body, or with the coroutines of its scope. A failure is recorded in it, and is its status; a
/// cancellation is no failure, and is told by the attribute `couv.cancelled`.
@SuppressWarnings("exports") // whoever uses it requires the other module as well
public final class Spans {
  private static final String CANCELLED = "couv.cancelled";

  private final Tracer tracer;

  private Spans(Tracer tracer) {
    this.tracer = tracer;
  }

  /// Spans that the tracer makes.
  public static Spans of(Tracer tracer) {
    return new Spans(Objects.requireNonNull(tracer, "tracer"));
  }

  // ---- spans

  /// Runs the body in a span of this name, inside the [current][#current] one. On any thread.
  public <T extends @Nullable Object> T run(String name, Body<T> body) throws Exception {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(body, "body");
    return run(current(), name, body);
  }

  /// Like [#run(String, Body)], without a result.
  public void run(String name, Action body) throws Exception {
    run(name, Body.of(body));
  }

  private <T extends @Nullable Object> T run(Context parent, String name, Body<T> body)
      throws Exception {
    Span span = tracer.spanBuilder(name).setParent(parent).startSpan();
    Throwable thrown = null;
    try (var _ = parent.with(span).makeCurrent()) {
      return body.run();
    } catch (Throwable failure) {
      thrown = failure;
      throw failure;
    } finally {
      end(span, thrown);
    }
  }

  private static void end(Span span, @Nullable Throwable thrown) {
    switch (thrown) {
      case null -> {}
      case Cancelled _ -> span.setAttribute(CANCELLED, true);
      default -> {
        span.setStatus(StatusCode.ERROR);
        span.recordException(thrown);
      }
    }
    span.end();
  }

  /// Spawns a coroutine of this name in the current scope, which runs the body in a span inside the spawner's current one.
  public <T extends @Nullable Object> Coroutine<T> spawn(String name, Body<T> body) {
    return Coroutine.spawn(inSpan(name, body)).named(name);
  }

  /// Like [#spawn(String, Body)], without a result.
  public Coroutine<@Nullable Void> spawn(String name, Action body) {
    return spawn(name, Body.of(body));
  }

  /// Like [#spawn(String, Body)], in that scope.
  public <T extends @Nullable Object> Coroutine<T> spawn(Scope scope, String name, Body<T> body) {
    return scope.spawn(inSpan(name, body)).named(name);
  }

  /// Like [#spawn(Scope, String, Body)], without a result.
  public Coroutine<@Nullable Void> spawn(Scope scope, String name, Action body) {
    return spawn(scope, name, Body.of(body));
  }

  private <T extends @Nullable Object> Body<T> inSpan(String name, Body<T> body) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(body, "body");
    Context parent = current();
    return () -> run(parent, name, body);
  }

  /// Opens a scope of this name with a span, inside the current one, in which the coroutines of the scope and of the scopes inside
  /// run; it ends when they have. The coroutine that opens the scope is not in it, as ever.
  public Scope open(String name) {
    Objects.requireNonNull(name, "name");
    Context parent = current();
    Scope scope = Scope.open().named(name);
    Span span = tracer.spanBuilder(name).setParent(parent).startSpan();
    ScopeContext.set(scope, parent.with(span));
    scope.onEnd(
        (@Nullable Throwable thrown) -> {
          if (thrown == null && scope.isCancelled()) {
            span.setAttribute(CANCELLED, true);
          }
          end(span, thrown);
        });
    return scope;
  }

  // ---- contexts

  /// The context of the calling thread; in a coroutine that has made none current, that of the innermost scope that has one.
  public static Context current() {
    Context attached = Context.current();
    Context ofScope = attached == Context.root() ? ScopeContext.find() : null;
    return ofScope == null ? attached : ofScope;
  }

  /// The body with what is [current][#current] now, wherever it runs: for pools, other loops, and `Loop.offload`.
  public static <T extends @Nullable Object> Body<T> carrying(Body<T> body) {
    Objects.requireNonNull(body, "body");
    Context carried = current();
    return () -> {
      try (var _ = carried.makeCurrent()) {
        return body.run();
      }
    };
  }

  /// Lets `Context.current()` itself give what [#current] gives, so that libraries that make spans see the scope's, too, in
  /// coroutines that were spawned by other means. Once, before anything asks for a context: later OpenTelemetry does not listen.
  public static void install() {
    ContextStorage.addWrapper(ScopeContext::new);
  }
}
