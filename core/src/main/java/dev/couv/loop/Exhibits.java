// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// The [Exhibit]s of this process: of what is made seldom all, of what is made often those that were made while
/// somebody looks. They are kept by their users alone. Any thread.
public final class Exhibits {
  private static final int SMALL = 64;

  private static final SpinLock LOCK = new SpinLock();
  private static final List<WeakReference<Exhibit>> SHOWN = new ArrayList<>();

  /// How many there may be before those are looked for that are gone.
  private static int room = SMALL;

  /// How many look.
  private static final AtomicInteger WATCHERS = new AtomicInteger();

  private Exhibits() {}

  /// One that is made often: it is kept in mind only if somebody looks.
  public static void showIfWatched(Exhibit made) {
    if (WATCHERS.get() > 0) {
      show(made);
    }
  }

  /// One that is made seldom.
  public static void show(Exhibit made) {
    WeakReference<Exhibit> shown = new WeakReference<>(made);
    try (var _ = LOCK.hold()) {
      if (SHOWN.size() >= room) {
        SHOWN.removeIf(each -> each.refersTo(null));
        room = Math.max(SMALL, 2 * SHOWN.size());
      }
      SHOWN.add(shown);
    }
  }

  /// One more looks, and what is made often is kept in mind from now on.
  public static void watch() {
    WATCHERS.incrementAndGet();
  }

  /// One looks no more.
  public static void unwatch() {
    WATCHERS.decrementAndGet();
  }

  /// Those that are still there.
  public static List<Exhibit> all() {
    List<WeakReference<Exhibit>> shown;
    try (var _ = LOCK.hold()) {
      shown = new ArrayList<>(SHOWN);
    }
    return shown.stream().map(WeakReference::get).filter(Objects::nonNull).toList();
  }
}
