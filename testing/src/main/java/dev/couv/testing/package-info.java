// SPDX-License-Identifier: Apache-2.0

/// Test tools for programs on Couv: tests that are coroutines ([InLoop]), virtual time ([TestClock]), a check for what a test leaves behind
/// ([LeakCheck]), and an order for the steps of several coroutines ([Sequencer]).
///
/// ```java
/// @InLoop
/// @Test
/// void isPatient(TestClock clock) {
///   Time.sleep(Duration.ofHours(1)); // takes no time
///   assertEquals(Duration.ofHours(1), clock.elapsed());
/// }
/// ```
package dev.couv.testing;
