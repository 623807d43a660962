// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that is a [Scenario]: the method sets up the simulation that it is given, once for each seed, and several seeds run at
/// once, each in a thread of its own. So it keeps what it remembers in variables of its own, and not in fields.
///
/// ```java
/// @SimTest(seeds = 200)
/// void survivesCrashes(Simulation sim) {
///   sim.host("db", …);
///   sim.client("user", …);
/// }
/// ```
///
/// The first seed is run twice more, and so are the next if that takes next to no time: if that makes two histories, the test fails,
/// and names what its classes call that is outside of the simulated world, as `System.nanoTime`.
///
/// The first seed that fails ends it, and the lowest of those that do is told. `-Dcouv.simulation.seed=17` runs that one alone, and `-Dcouv.simulation.seeds=10000` as many
/// as that, but `-Dcouv.simulation.seconds=60` begins no further one after a minute; what a test leaves of its minute is for those
/// behind it.
@Documented
@Test
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SeededMethods.class)
@SuppressWarnings("exports") // the extension is for JUnit, which may see it
public @interface SimTest {
  /// How many seeds are tried, from 0 on.
  int seeds() default 100;
}
