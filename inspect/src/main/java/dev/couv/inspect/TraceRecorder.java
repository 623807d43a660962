// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import dev.couv.inspect.probe.Json;
import dev.couv.inspect.probe.Strings;
import dev.couv.loop.SpinLock;
import dev.couv.strand.Journal;
import dev.couv.strand.Named;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Records the lives and awaits of all coroutines of this process, in bounded memory: of a long run the end is kept, because
/// that is where it went wrong.
final class TraceRecorder implements Journal {
  /// So many awaits are kept, and so many coroutines that have ended: some megabytes.
  private static final int AWAITS = 200_000;

  private static final int ENDED = 20_000;
  private static final int TEXTS = 50_000;

  /// A coroutine from its begin to its end.
  private static final class Life {
    final long number;
    final int site;
    final int scope;
    final long begun;
    int name;
    int how;
    long ended = -1;
    @Nullable Open open;

    Life(long number, int name, int site, int scope, long begun) {
      this.number = number;
      this.name = name;
      this.site = site;
      this.scope = scope;
      this.begun = begun;
    }
  }

  /// An await that is not over.
  private record Open(@Nullable Life life, int what, long begun) {}

  private record Await(Life life, int what, int how, long begun, long ended) {}

  private final String title;
  private final long startNanos = System.nanoTime();
  private final long startMillis = System.currentTimeMillis();

  // Guarded by the lock.
  private final SpinLock lock = new SpinLock();
  private final Strings texts = new Strings();
  private final Map<Long, Life> living = new LinkedHashMap<>();
  private final ArrayDeque<Life> ended = new ArrayDeque<>();
  private final ArrayDeque<Await> awaits = new ArrayDeque<>();
  private boolean over;
  private long lives;
  private long waits;

  private TraceRecorder(String title) {
    this.title = title;
  }

  /// One that is told everything from now on: before the first loop of the process.
  static TraceRecorder install(String title) {
    TraceRecorder recorder = new TraceRecorder(title);
    Journal.Choice.make(recorder);
    return recorder;
  }

  // ---- told by coroutines

  @Override
  public void started(Named strand, String site, String scope) {
    String name = strand.name();
    long now = System.nanoTime();
    try (var _ = lock.hold()) {
      if (over) {
        return;
      }
      lives++;
      living.put(
          strand.number(), new Life(strand.number(), text(name), text(site), text(scope), now));
    }
  }

  @Override
  public void ended(Named strand, String how) {
    String name = strand.name();
    long now = System.nanoTime();
    try (var _ = lock.hold()) {
      Life life = over ? null : living.remove(strand.number());
      if (life != null) {
        life.name = text(name); // it may have been named since
        life.how = text(how);
        life.ended = now;
        ended.add(life);
        if (ended.size() > ENDED) {
          ended.poll();
        }
      }
    }
  }

  @Override
  public Object awaits(Named strand, String awaited) {
    int until =
        awaited.indexOf(
            " until "); // how long it took is seen, and each moment would be a text of its own
    String what = until < 0 ? awaited : awaited.substring(0, until);
    long now = System.nanoTime();
    try (var _ = lock.hold()) {
      Life life = over ? null : living.get(strand.number());
      Open open = new Open(life, life == null ? 0 : text(what), now);
      if (life != null) {
        life.open = open;
      }
      return open;
    }
  }

  @Override
  public void awaited(Object begun, String how) {
    long now = System.nanoTime();
    if (begun instanceof Open(Life life, int what, long since) && life != null) {
      try (var _ = lock.hold()) {
        if (over) {
          return;
        }
        waits++;
        life.open = null;
        awaits.add(new Await(life, what, text(how), since, now));
        if (awaits.size() > AWAITS) {
          awaits.poll();
        }
      }
    }
  }

  /// When there are too many, they are all the same.
  private int text(String words) {
    return texts.size() < TEXTS ? texts.index(words) : texts.index("…");
  }

  // ---- the end

  /// All of it, for a page. Nothing is recorded from here on.
  String json() {
    Map<Life, Integer> places = new LinkedHashMap<>();
    List<Await> kept;
    try (var _ = lock.hold()) {
      over = true;
      ended.forEach(life -> places.put(life, places.size()));
      living.values().forEach(life -> places.put(life, places.size()));
      kept = new ArrayList<>(awaits);
    }
    Json json = new Json();
    json.open('{').key("title").string(title).key("began").number(startMillis);
    json.key("length").number(micros(System.nanoTime())).key("dropped").open('[');
    json.number(lives - places.size()).number(waits - kept.size()).close(']');
    json.key("lives").open('[');
    places.keySet().forEach(life -> write(life, json));
    json.close(']').key("awaits").open('[');
    for (Await await : kept) {
      Integer place = places.get(await.life);
      if (place != null) {
        json.open('[').number(place).number(await.what).number(await.how);
        json.number(micros(await.begun)).number((await.ended - await.begun) / 1000).close(']');
      }
    }
    json.close(']').key("strings");
    texts.write(json);
    return json.close('}').toString();
  }

  /// `[number, name, spawned at, scope, begun, lasted or -1, how it ended, awaits what, since]`; the last two only if it
  /// awaits something still.
  private void write(Life life, Json json) {
    json.open('[').number(life.number).number(life.name).number(life.site).number(life.scope);
    json.number(micros(life.begun));
    json.number(life.ended < 0 ? -1 : (life.ended - life.begun) / 1000);
    json.number(life.ended < 0 ? -1 : life.how);
    Open open = life.open;
    if (open != null) {
      json.number(open.what).number(micros(open.begun));
    }
    json.close(']');
  }

  private long micros(long nanos) {
    return (nanos - startNanos) / 1000;
  }

  /// How much it is.
  @Override
  public String toString() {
    try (var _ = lock.hold()) {
      return "%,d coroutines and %,d awaits".formatted(lives, waits);
    }
  }
}
