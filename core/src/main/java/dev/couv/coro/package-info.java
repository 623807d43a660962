// SPDX-License-Identifier: Apache-2.0

/// Coroutines and the loop that runs them, as users hold them.
///
/// A [Loop] is one thread that runs coroutines, one at a time. A [Coroutine] runs until it waits or ends; what waits is an ordinary
/// method. A [Scope] is a block that does not end before the coroutines in it, a [TaskGroup] one for tasks with results. [Await] waits for
/// several things, an [Event] is something that happens. What runs below them is in `dev.couv.strand`.
///
/// ```java
/// var slow = Coroutine.spawn(() -> { Time.sleep(Duration.ofMillis(20)); return "slow"; });
/// var fast = Coroutine.spawn(() -> { Time.sleep(Duration.ofMillis(10)); return "fast"; });
/// String first = Await.any(slow, fast);
///
/// try (var scope = Scope.open()) {
///   scope.spawn(() -> Time.sleep(Duration.ofMillis(10)));
///   scope.join(); // throws what a coroutine in it threw
/// }
/// ```
///
/// Whoever is cancelled gets [Cancelled], an error, from what it awaits. A failure that nobody awaits ends its scope, and at last the run.
package dev.couv.coro;
