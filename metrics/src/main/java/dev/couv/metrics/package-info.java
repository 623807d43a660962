// SPDX-License-Identifier: Apache-2.0

/// Meters for Micrometer ([Meters][dev.couv.metrics.Meters], [LongTurns][dev.couv.metrics.LongTurns]) and spans for OpenTelemetry
/// ([Spans][dev.couv.metrics.Spans]).
///
/// ```java
/// var registry = new io.micrometer.core.instrument.simple.SimpleMeterRegistry();
/// dev.couv.metrics.Meters.ofLoop("main", Loop.current()).bindTo(registry);
/// double coroutines = registry.get("couv.loop.coroutines").gauge().value();
/// ```
package dev.couv.metrics;
