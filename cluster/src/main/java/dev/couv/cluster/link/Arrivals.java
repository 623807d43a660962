// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The way into the loop for what comes on other threads: in order, many with one post.
final class Arrivals {
  private static final Logger LOG = System.getLogger("dev.couv.cluster");

  /// After so many the loop's other coroutines have a turn.
  private static final int BATCH = 256;

  private final Loop loop;
  private final ConcurrentLinkedQueue<Arrival> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean posted = new AtomicBoolean();
  private volatile boolean over;

  /// Of the loop.
  private boolean draining;

  private record Arrival(
      @Nullable Consumer<Packet> receiver, @Nullable Packet packet, @Nullable Runnable task) {
    void tell() {
      if (task != null) {
        task.run();
      } else if (receiver != null && packet != null) {
        receiver.accept(packet);
      }
    }
  }

  Arrivals(Loop loop) {
    this.loop = loop;
  }

  /// Any thread. Does not wait.
  void add(Consumer<Packet> receiver, Packet packet) {
    add(new Arrival(receiver, packet, null));
  }

  /// Any thread.
  void add(Runnable task) {
    add(new Arrival(null, null, task));
  }

  private void add(Arrival arrival) {
    if (over) {
      return;
    }
    queue.add(arrival);
    if (!posted.getAndSet(true)) {
      post();
    }
  }

  private void post() {
    try {
      loop.post(this::drain);
    } catch (IllegalStateException closed) {
      close(); // the loop is: nobody is left to be told
    }
  }

  /// In a coroutine of the loop. Whoever comes while this gives way posts another, which must not
  /// overtake it: so one drains at a time.
  private void drain() {
    if (draining) {
      return; // the one that drains takes these, too
    }
    draining = true;
    try {
      int told = 0;
      for (Arrival next; (next = next()) != null; ) {
        try {
          next.tell();
        } catch (RuntimeException wrong) {
          LOG.log(Level.ERROR, "a message could not be dealt with", wrong);
        }
        if (++told % BATCH == 0) {
          Coroutine.pause();
        }
      }
    } finally {
      draining = false;
    }
  }

  private @Nullable Arrival next() {
    Arrival next = queue.poll();
    if (next == null) {
      posted.set(false); // first, then looked again: one that comes now posts
      next = queue.poll();
    }
    return next;
  }

  /// Nothing is told any more. Any thread.
  void close() {
    over = true;
    queue.clear();
  }
}
