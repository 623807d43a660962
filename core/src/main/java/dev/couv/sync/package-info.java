// SPDX-License-Identifier: Apache-2.0

/// What coroutines synchronise with, where an await lies between two things that belong together. Without one they need nothing: coroutines
/// of a loop never run at the same time.
///
/// [Mutex], [Permits] and [Gate] keep others out, or let so many in. [Promise] is one result, [Chan] passes values on; both also work between
/// threads. [Topic] tells whoever waits for a key. [Resources] are connections and the like, to be leased.
///
/// ```java
/// var numbers = Chan.<Integer>create(2);
/// Coroutine.spawn(() -> {
///   for (int i = 0; i < 5; i++) numbers.send(i);
///   numbers.close();
/// });
/// int sum = 0;
/// for (int number : numbers) sum += number;
///
/// var mutex = new Mutex();
/// try (var held = mutex.hold()) {
///   Time.sleep(Duration.ofMillis(1)); // nobody else is here
/// }
/// ```
///
/// Whoever waits is served in the order they came. Nothing here knows libuv.
package dev.couv.sync;
