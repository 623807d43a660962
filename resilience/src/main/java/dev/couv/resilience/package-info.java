// SPDX-License-Identifier: Apache-2.0

/// What one puts around a call that may fail, hang, or be made too often. Policies, such as [Retry] and [Hedge], are values;
/// what counts, such as a [RateLimiter], a [Bulkhead] or a [Breaker], belongs to the loop of the coroutine that made it.
/// Each takes the call as a body and runs it, so they compose by nesting.
///
/// ```java
/// var retry = Retry.of().withAttempts(3).on(IOException.class);
/// var breaker = Breaker.create(5, Duration.ofSeconds(10));
/// String answer = retry.run(() -> breaker.run(() -> Time.timeout(Duration.ofSeconds(1), () -> "42")));
/// ```
package dev.couv.resilience;
