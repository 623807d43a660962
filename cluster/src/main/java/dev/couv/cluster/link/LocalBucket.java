// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A bucket in memory. Any thread.
final class LocalBucket {
  private final BucketPlan plan;

  // Guarded by this.
  private final Map<String, Held> held = new TreeMap<>();
  private long last;

  private final List<Watching> watching = new CopyOnWriteArrayList<>();

  private record Held(Bucket.Entry entry, long since) {}

  private record Watching(@Nullable String key, Arrivals arrivals, Bucket.Watcher watcher) {
    void tell(Bucket.Entry entry) {
      if (key == null || key.equals(entry.key())) {
        arrivals.add(() -> watcher.changed(entry));
      }
    }
  }

  LocalBucket(BucketPlan plan) {
    this.plan = plan;
  }

  @Nullable Duration lifetime() {
    return plan.lifetime();
  }

  Bucket seenBy(Arrivals arrivals) {
    return new View(arrivals);
  }

  private synchronized Bucket.@Nullable Entry get(String key) {
    Held found = held.get(key);
    if (found != null
        && plan.lifetime() != null
        && System.nanoTime() - found.since > plan.lifetime().toNanos()) {
      held.remove(key);
      return null;
    }
    return found == null ? null : found.entry;
  }

  private synchronized @Nullable Long write(String key, byte @Nullable [] value, long expected) {
    Bucket.Entry before = get(key);
    if (expected >= 0 && expected != (before == null ? 0 : before.revision())) {
      return null;
    }
    Bucket.Entry entry = new Bucket.Entry(key, value, ++last);
    if (value == null) {
      held.remove(key);
    } else {
      held.put(key, new Held(entry, System.nanoTime()));
    }
    watching.forEach(each -> each.tell(entry));
    return entry.revision();
  }

  private synchronized List<String> keys() {
    return List.copyOf(held.keySet()).stream().filter(key -> get(key) != null).toList();
  }

  private synchronized Runnable watch(Watching newcomer) {
    List<Bucket.Entry> entries = new ArrayList<>();
    held.values().forEach(each -> entries.add(each.entry));
    entries.sort((one, other) -> Long.compare(one.revision(), other.revision()));
    entries.forEach(newcomer::tell);
    newcomer.arrivals.add(newcomer.watcher::caughtUp);
    watching.add(newcomer);
    return () -> watching.remove(newcomer);
  }

  /// The bucket as one loop sees it.
  private final class View implements Bucket {
    private final Arrivals arrivals;

    private View(Arrivals arrivals) {
      this.arrivals = arrivals;
    }

    @Override
    public @Nullable Entry get(String key) {
      return LocalBucket.this.get(key);
    }

    @Override
    public long put(String key, byte[] value) {
      Long revision = write(key, value, -1);
      return revision == null ? 0 : revision;
    }

    @Override
    public @Nullable Long update(String key, byte[] value, long revision) {
      return write(key, value, revision);
    }

    @Override
    public boolean delete(String key, long revision) {
      return write(key, null, revision) != null;
    }

    @Override
    public List<String> keys() {
      return LocalBucket.this.keys();
    }

    @Override
    public Runnable watch(@Nullable String key, Watcher watcher) {
      return LocalBucket.this.watch(new Watching(key, arrivals, watcher));
    }
  }
}
