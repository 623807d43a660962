// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.strand.LoopLocal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Events on values: a coroutine awaits a key, any object, and another one emits it. Keys are the same
/// if they are equal. Nothing is kept for a key that nobody awaits: an event that comes too early is
/// missed. [QueuedTopic] keeps it.
///
/// Each loop has its own topics; all functions are for its coroutines.
///
/// ```java
/// Coroutine.spawn(() -> IO.println("heard: " + Topic.await("bell")));
/// Coroutine.pause();
/// Topic.emitAll("bell", "order up");
/// ```
public final class Topic {
  private static final LoopLocal<Topics> TOPICS = new LoopLocal<>(() -> new Topics("topic", null));

  private Topic() {}

  /// Waits for the next event on the key, and returns its value.
  public static @Nullable Object await(Object key) {
    return TOPICS.get("Topic.await").await(key);
  }

  /// Waits for the next event on any of the keys. Null keys are ignored.
  ///
  /// @throws IllegalArgumentException if there is no key
  public static Emission awaitAny(@Nullable Object... keys) {
    return TOPICS.get("Topic.awaitAny").awaitAny(keys);
  }

  /// Waits until there was an event on each of the keys, and returns their values in the order of the
  /// keys. Null keys are ignored, of equal ones there is one value; without a key it returns at once.
  public static List<@Nullable Object> awaitAll(@Nullable Object... keys) {
    return TOPICS.get("Topic.awaitAll").awaitAll(keys);
  }

  /// Wakes everybody who awaits the key now, with nothing as the value. False if nobody does.
  public static boolean emitAll(@Nullable Object key) {
    return emitAll(key, null);
  }

  /// Wakes everybody who awaits the key now, in the order they came. False if nobody does.
  public static boolean emitAll(@Nullable Object key, @Nullable Object value) {
    return TOPICS.get("Topic.emitAll").emit(key, value, true);
  }

  /// Wakes the one who has awaited the key longest, with nothing as the value. False if nobody does.
  public static boolean emitOne(@Nullable Object key) {
    return emitOne(key, null);
  }

  /// Wakes the one who has awaited the key longest. False if nobody does.
  public static boolean emitOne(@Nullable Object key, @Nullable Object value) {
    return TOPICS.get("Topic.emitOne").emit(key, value, false);
  }

  /// Whether somebody awaits the key.
  public static boolean isAwaited(@Nullable Object key) {
    return TOPICS.get("Topic.isAwaited").isAwaited(key);
  }
}
