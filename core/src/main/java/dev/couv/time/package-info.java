// SPDX-License-Identifier: Apache-2.0

/// The loop's time: sleeping, timeouts, tickers.
///
/// ```java
/// Time.sleep(Duration.ofMillis(5));
/// try {
///   Time.timeout(Duration.ofMillis(10), () -> Time.sleep(Duration.ofHours(1)));
/// } catch (TimeoutException e) {
///   // what the body awaited was cancelled
/// }
/// try (var ticker = Ticker.every(Duration.ofMillis(5))) {
///   long missed = ticker.next();
/// }
/// ```
///
/// All of it counts by the loop's clock, which is monotonic; a test can replace it by one that jumps.
package dev.couv.time;
