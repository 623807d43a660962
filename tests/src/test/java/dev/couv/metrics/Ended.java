// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The spans that are over.
final class Ended implements SpanExporter {
  private final List<SpanData> spans = new CopyOnWriteArrayList<>();

  List<SpanData> spans() {
    return spans;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> ended) {
    spans.addAll(ended);
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }
}
