// SPDX-License-Identifier: Apache-2.0

/// Calls that may fail, hang, or be too many: retries, rate limits, hedges, bulkheads and breakers, on the public API
/// of Couv alone.
@org.jspecify.annotations.NullMarked
module dev.couv.resilience {
  requires transitive dev.couv;
  requires static transitive org.jspecify;

  exports dev.couv.resilience;
}
