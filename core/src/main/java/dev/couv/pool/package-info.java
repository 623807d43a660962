// SPDX-License-Identifier: Apache-2.0

/// More cores: loops on several threads ([LoopPool]), and bodies that run elsewhere step by step ([Worker]).
///
/// ```java
/// try (var pool = LoopPool.open(2)) {
///   List<Integer> squares = pool.map(List.of(1, 2, 3), n -> n * n);
///   int answer = pool.submit(() -> 6 * 7).await();
/// }
/// ```
///
/// Values go between loops, through results, promises and channels; what belongs to a loop does not.
package dev.couv.pool;
