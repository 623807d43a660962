// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import dev.couv.loop.Census;
import dev.couv.loop.EventLoop;
import dev.couv.strand.LoopView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The loops of this process, each with a number, and a [Sampler] for each while somebody wants to know how they are
/// doing. Any thread.
final class Watch implements AutoCloseable {
  private static final long LOOK_NANOS = 10_000_000;
  private static final int LOOKS_PER_PING = 10;
  private static final long SECOND_NANOS = 1_000_000_000;

  /// A loop that is known.
  record Known(int id, LoopView host, Sampler sampler) {}

  private final Map<EventLoop, Known> loops = new LinkedHashMap<>();
  private int last;
  private @Nullable Thread thread;
  private volatile boolean closed;

  /// Those that are open now, the oldest first.
  synchronized List<Known> loops() {
    List<EventLoop> open = Census.loops();
    loops.keySet().retainAll(open);
    for (EventLoop loop : open) {
      if (!loops.containsKey(loop) && loop.residents() instanceof LoopView host) {
        loops.put(loop, new Known(++last, host, new Sampler(host)));
      }
    }
    return new ArrayList<>(loops.values());
  }

  /// The last second of that loop; null if it was not watched for one.
  Sampler.@Nullable Point last(LoopLook look) {
    for (Known loop : loops()) {
      if (loop.id == look.id()) {
        return loop.sampler.last();
      }
    }
    return null;
  }

  /// Samples are taken from now on.
  synchronized void begin() {
    if (thread == null && !closed) {
      thread = Thread.ofPlatform().daemon().name("couv-inspect-samples").start(this::sample);
    }
  }

  private void sample() {
    long second = System.nanoTime() + SECOND_NANOS;
    for (int look = 1; !closed; look++) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      boolean over = System.nanoTime() - second >= 0;
      for (Known known : loops()) {
        known.sampler.look();
        if (look % LOOKS_PER_PING == 0) {
          known.sampler.ping();
        }
        if (over) {
          known.sampler.point(System.currentTimeMillis());
        }
      }
      if (over) {
        second = System.nanoTime() + SECOND_NANOS;
      }
    }
  }

  /// Waits for its thread.
  @Override
  public void close() {
    Thread sampling;
    synchronized (this) {
      closed = true;
      sampling = thread;
    }
    if (sampling != null) {
      LockSupport.unpark(sampling);
      try {
        sampling.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // it ends by itself
      }
      loops().forEach(known -> known.sampler.close());
    }
  }
}
