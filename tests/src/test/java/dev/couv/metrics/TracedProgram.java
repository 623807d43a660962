// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;

/// A library makes a span in a coroutine that was spawned plainly, with what `Spans.install` brings if there is an argument.
final class TracedProgram {
  private TracedProgram() {}

  @SuppressWarnings("try") // an interrupt is as good an exception as any
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      Spans.install();
    }
    Ended ended = new Ended();
    try (SdkTracerProvider provider =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(ended)).build()) {
      Spans spans = Spans.of(provider.get("ours"));
      Loop.run(
          () -> {
            try (Scope scope = spans.open("scope")) {
              scope.spawn(
                  () -> {
                    provider.get("a library").spanBuilder("inner").startSpan().end();
                    try (var _ = Context.root().makeCurrent()) {
                      System.out.println("root: " + (Context.current() == Context.root()));
                    }
                  });
            }
          });
    }
    SpanData inner = ended.spans().get(0);
    SpanData scope = ended.spans().get(1);
    System.out.println("inside: " + inner.getParentSpanId().equals(scope.getSpanId()));
  }
}
