// SPDX-License-Identifier: Apache-2.0

/// Test tools for programs on Couv, with JUnit: tests that are coroutines, virtual time, a check
/// for leaks, the tie between a test and the behaviour it shows, and whole distributed programs
/// in a simulated world.
@org.jspecify.annotations.NullMarked
module dev.couv.testing {
  requires transitive dev.couv;
  requires transitive org.junit.jupiter.api;
  requires org.junit.platform.commons;
  requires static transitive org.jspecify;

  exports dev.couv.testing;
  exports dev.couv.simulation;

  // JUnit makes the extension of `@InLoop`, which is nobody else's.
  opens dev.couv.simulation to
      org.junit.platform.commons;
  opens dev.couv.testing to
      org.junit.platform.commons;
}
