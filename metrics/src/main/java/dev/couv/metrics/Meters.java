// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import dev.couv.coro.Loop;
import dev.couv.coro.LoopStats;
import dev.couv.pool.LoopPool;
import dev.couv.sync.BreakerState;
import dev.couv.sync.Chan;
import dev.couv.sync.Resources;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Binders that show what Couv has in hand as meters of Micrometer. The name that each is given is the tag `name` of its meters.
///
/// Meters may be read by any thread. What belongs to a loop is asked of it, once for all meters that are read together; a loop
/// that does not answer within a fifth of a second is shown as it was before. When a loop has ended, its gauges show NaN.
@SuppressWarnings("exports") // whoever uses it requires the other module as well
public final class Meters {
  private Meters() {}

  /// A loop: its coroutines, handles, requests, timers and native memory, and how long it takes to come to something new.
  public static MeterBinder ofLoop(String name, Loop loop) {
    Tags tags = tags(name);
    Objects.requireNonNull(loop, "loop");
    return registry -> bindLoop(registry, tags, loop);
  }

  private static void bindLoop(MeterRegistry registry, Tags tags, Loop loop) {
    Timer delay =
        Timer.builder("couv.loop.delay")
            .description("How long a newcomer waits for its turn, asked when meters are read")
            .tags(tags)
            .register(registry);
    Sample<LoopStats> sample = new Sample<>(loop, Loop::stats, delay::record);
    Gauges<LoopStats> gauges = new Gauges<>(registry, tags, sample);
    gauges.add("couv.loop.coroutines", "Not ended", LoopStats::coroutines);
    gauges.add("couv.loop.ready", "Waiting for their turn", LoopStats::ready);
    gauges.add("couv.loop.handles", "Native handles of open objects", LoopStats::handles);
    gauges.add("couv.loop.handles.closing", "Being closed", LoopStats::closingHandles);
    gauges.add("couv.loop.requests", "Not called back yet", LoopStats::requests);
    gauges.add("couv.loop.timers", "Deadlines somebody waits for", LoopStats::timers);
    gauges.add("couv.loop.native.blocks", "In use", LoopStats::nativeBlocks);
    gauges.addBytes("couv.loop.native.memory", "All that it holds", LoopStats::nativeBytes);
    FunctionCounter.builder("couv.loop.iterations", sample, Meters::iterations)
        .description("Turns of the loop")
        .tags(tags)
        .register(registry);
  }

  private static double iterations(Sample<LoopStats> sample) {
    LoopStats stats = sample.latest();
    return stats == null ? Double.NaN : stats.iterations();
  }

  /// A pool of loops: its threads, and its tasks by what they do. The pool is held weakly.
  public static MeterBinder ofPool(String name, LoopPool pool) {
    Tags tags = tags(name);
    Objects.requireNonNull(pool, "pool");
    return registry -> {
      Gauge.builder("couv.pool.threads", pool, each -> each.stats().threads())
          .description("Threads that it has")
          .tags(tags)
          .register(registry);
      tasks(registry, tags, "running", pool, each -> each.stats().running());
      tasks(registry, tags, "pending", pool, each -> each.stats().pending());
      tasks(registry, tags, "suspended", pool, each -> each.stats().suspended());
      FunctionCounter.builder("couv.pool.tasks.ended", pool, each -> each.stats().ended())
          .description("Tasks that have ended, in whatever way")
          .tags(tags)
          .register(registry);
    };
  }

  private static void tasks(
      MeterRegistry registry,
      Tags tags,
      String state,
      LoopPool pool,
      ToDoubleFunction<LoopPool> count) {
    Gauge.builder("couv.pool.tasks", pool, count)
        .description("Tasks that have not ended")
        .tags(tags.and("state", state))
        .register(registry);
  }

  /// A channel: what is in it, and who waits at it. The channel is held weakly.
  public static MeterBinder ofChan(String name, Chan<?> chan) {
    Tags tags = tags(name);
    Objects.requireNonNull(chan, "chan");
    return registry -> {
      chan(registry, tags, "capacity", "Places", chan, each -> each.stats().capacity());
      chan(registry, tags, "values", "Not taken yet", chan, each -> each.stats().values());
      chan(registry, tags, "senders", "Waiting", chan, each -> each.stats().senders());
      chan(registry, tags, "receivers", "Waiting", chan, each -> each.stats().receivers());
    };
  }

  private static void chan(
      MeterRegistry registry,
      Tags tags,
      String what,
      String description,
      Chan<?> chan,
      ToDoubleFunction<Chan<?>> count) {
    Gauge.builder("couv.chan." + what, chan, count)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private record Stock(int idle, int leased, int waiting) {
    static Stock of(Resources<?> resources) {
      return new Stock(resources.idle(), resources.leased(), resources.waiting());
    }
  }

  /// A pool of resources, and its breaker as [#ofState] shows it. Called in a coroutine of its loop.
  ///
  /// @throws IllegalStateException elsewhere
  public static MeterBinder ofResources(String name, Resources<?> resources) {
    Tags tags = tags(name);
    if (!resources.isHere()) {
      throw new IllegalStateException(
          "the meters of a pool are made in a coroutine of the pool's loop");
    }
    Loop loop = Loop.current();
    MeterBinder breaker = ofState(name, BreakerState.class, resources::state);
    return registry -> {
      Sample<Stock> sample = new Sample<>(loop, _ -> Stock.of(resources), _ -> {});
      Gauges<Stock> gauges = new Gauges<>(registry, tags, sample);
      gauges.add("couv.resources.idle", "Waiting to be used", Stock::idle);
      gauges.add("couv.resources.leased", "In use, or being made", Stock::leased);
      gauges.add("couv.resources.waiting", "Coroutines that wait for one", Stock::waiting);
      breaker.bindTo(registry);
    };
  }

  /// Anything of the current loop with a state, such as a breaker: of the gauges `couv.state`, one for each state with the tag
  /// `state`, that of the present state is 1, and the others are 0.
  ///
  /// @throws IllegalStateException if the caller is no coroutine
  public static <S extends Enum<S>> MeterBinder ofState(
      String name, Class<S> states, Supplier<S> state) {
    Tags tags = tags(name);
    Objects.requireNonNull(state, "state");
    S[] all = states.getEnumConstants();
    Loop loop = Loop.current();
    return registry -> {
      Sample<S> sample = new Sample<>(loop, _ -> state.get(), _ -> {});
      for (S each : all) {
        String word = each.name().toLowerCase(Locale.ROOT);
        new Gauges<>(registry, tags.and("state", word), sample)
            .add("couv.state", "1 for the state that it is in", now -> now == each ? 1 : 0);
      }
    };
  }

  private static Tags tags(String name) {
    return Tags.of("name", Objects.requireNonNull(name, "name"));
  }

  /// Gauges of one sample.
  private record Gauges<T>(MeterRegistry registry, Tags tags, Sample<T> sample) {
    void add(String name, String description, ToDoubleFunction<T> count) {
      add(name, description, null, count);
    }

    void addBytes(String name, String description, ToDoubleFunction<T> count) {
      add(name, description, "bytes", count);
    }

    private void add(
        String name, String description, @Nullable String unit, ToDoubleFunction<T> count) {
      Gauge.builder(
              name,
              () -> {
                T seen = sample.latest();
                return seen == null ? Double.NaN : count.applyAsDouble(seen);
              })
          .description(description)
          .baseUnit(unit)
          .tags(tags)
          .register(registry);
    }
  }
}
