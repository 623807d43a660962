// SPDX-License-Identifier: Apache-2.0

/// Couv and the interfaces that other libraries meet at: [LoopExecutor], [Flows], [ByteChannels].
///
/// ```java
/// Flow.Publisher<String> words = Flows.publisher(Loop.current(), List.of("one", "two"));
/// try (FlowSource<String> source = Flows.subscribe(words, 1)) {
///   for (String word : source) Objects.requireNonNull(word);
/// }
/// ```
package dev.couv.bridge;
