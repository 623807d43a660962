// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.strand.LoopLocal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Events on values, like [Topic], but an event that nobody awaits is kept: whoever awaits the key
/// later takes the oldest. Its events are its own: those of [Topic] do not reach who awaits here.
///
/// Kept events of a key with identity, one whose class does not define `equals`, go when the key becomes
/// garbage; so their values must not refer to it. Those of other keys stay until they are taken.
public final class QueuedTopic {
  private static final LoopLocal<Topics> TOPICS =
      new LoopLocal<>(() -> new Topics("queued topic", new KeptEvents()));

  private QueuedTopic() {}

  /// Takes the oldest event that is kept for the key, or waits for the next; returns its value.
  public static @Nullable Object await(Object key) {
    return TOPICS.get("QueuedTopic.await").await(key);
  }

  /// Takes the oldest event of the first key for which one is kept, or waits for the next on any. Null
  /// keys are ignored.
  ///
  /// @throws IllegalArgumentException if there is no key
  public static Emission awaitAny(@Nullable Object... keys) {
    return TOPICS.get("QueuedTopic.awaitAny").awaitAny(keys);
  }

  /// Takes one event of each key, and waits for those that are not kept; returns their values in the
  /// order of the keys. Null keys are ignored, of equal ones one event is taken. What it has taken
  /// stays taken when it is cancelled or resumed.
  public static List<@Nullable Object> awaitAll(@Nullable Object... keys) {
    return TOPICS.get("QueuedTopic.awaitAll").awaitAll(keys);
  }

  /// Wakes everybody who awaits the key now, with nothing as the value. If nobody does, the event
  /// is kept, and false.
  public static boolean emitAll(@Nullable Object key) {
    return emitAll(key, null);
  }

  /// Wakes everybody who awaits the key now, in the order they came. If nobody does, the event is
  /// kept, and false.
  public static boolean emitAll(@Nullable Object key, @Nullable Object value) {
    return TOPICS.get("QueuedTopic.emitAll").emit(key, value, true);
  }

  /// Wakes the one who has awaited the key longest, with nothing as the value. If nobody does, the event
  /// is kept, and false.
  public static boolean emitOne(@Nullable Object key) {
    return emitOne(key, null);
  }

  /// Wakes the one who has awaited the key longest. If nobody does, the event is kept, and false.
  public static boolean emitOne(@Nullable Object key, @Nullable Object value) {
    return TOPICS.get("QueuedTopic.emitOne").emit(key, value, false);
  }

  /// Whether somebody awaits the key.
  public static boolean isAwaited(@Nullable Object key) {
    return TOPICS.get("QueuedTopic.isAwaited").isAwaited(key);
  }

  /// Whether an event is kept for the key.
  public static boolean isQueued(@Nullable Object key) {
    return TOPICS.get("QueuedTopic.isQueued").isQueued(key);
  }
}
