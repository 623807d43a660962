// SPDX-License-Identifier: Apache-2.0

/// Meters for Micrometer ([Meters][dev.couv.metrics.Meters], [LongTurns][dev.couv.metrics.LongTurns]) and spans for OpenTelemetry
/// ([Spans][dev.couv.metrics.Spans]).
package dev.couv.metrics;
