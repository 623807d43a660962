// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// The test method is a coroutine: its body is the first one of a loop of its own, as by
/// `Loop.run`.
///
/// ```java
/// @InLoop
/// @Test
/// void echoes() throws Exception {
///   try (var server = Tcp.listen(address)) { … }
/// }
/// ```
///
/// On a class it is said of all its test methods, those of nested and derived classes included; of
/// parameterized, repeated and dynamic tests each is a coroutine by itself.
///
/// The test ends when no coroutine is left, and fails by what `Loop.run` throws: its own exception,
/// the failure of a coroutine that nobody awaits, or a [dev.couv.coro.Deadlock]. `@BeforeEach` and
/// `@AfterEach` methods run outside of the loop, before it begins and after it has ended, and so
/// does the [LeakCheck].
///
/// Where the method has a parameter of type [TestClock], it gets a new one, and the loop lives by
/// it:
///
/// ```java
/// @InLoop
/// @Test
/// void isPatient(TestClock clock) {
///   Time.sleep(Duration.ofHours(1));
///   assertEquals(Duration.ofHours(1), clock.elapsed());
/// }
/// ```
///
/// When a JUnit `@Timeout` is over, everything that waits is cancelled, and the thread of the body
/// interrupted, in case it blocks.
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(CoroutineMethods.class)
@SuppressWarnings("exports") // the extension is for JUnit, which may see it
public @interface InLoop {}
