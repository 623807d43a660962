// SPDX-License-Identifier: Apache-2.0

/// Metrics and traces of programs on Couv: loops, pools and channels as meters of Micrometer, and spans of OpenTelemetry that
/// follow coroutines and scopes. Whoever uses one of the two needs not have the other.
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // they have no descriptors
module dev.couv.metrics {
  requires transitive dev.couv;

  // Not transitive: whoever imports this module would import their names, too, and there are two of
  // `Scope` and `Context`.
  requires static micrometer.core;
  requires static io.opentelemetry.api;
  requires static io.opentelemetry.context;
  requires static jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.couv.metrics;
}
