// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.coro.Loop;
import io.nats.client.Dispatcher;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The threads of one connection: all that its client has, so that none is left when it is closed.
/// Daemons, which keep no program alive.
///
/// The writer is on the way of every message, and so are the dispatchers of what the client does for
/// itself, as watching keys. Where the loop can carry threads that block, they are [CarriedThreads]
/// of it, and no other thread of the system is woken. The reader has one of its own, and so has what
/// is done seldom and may look up names.
final class NatsThreads {
  static final String NAME = "couv-nats-";

  private final ExecutorService common;
  private final ExecutorService writing;
  private final ExecutorService callbacks;
  private final ScheduledThreadPoolExecutor scheduled;

  /// In a coroutine of the loop.
  NatsThreads(Loop loop) {
    ThreadFactory factory = Thread.ofPlatform().daemon().name(NAME, 1).factory();
    Common own = new Common(factory);
    common = own;
    if (loop.stats().engine().equals("loop-scheduled")) {
      own.carried = new CarriedThreads(loop, own);
      writing = own.carried;
    } else {
      writing = own;
    }
    // One at a time: states are told in their order.
    callbacks =
        new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    scheduled = new ScheduledThreadPoolExecutor(1, factory);
    scheduled.setRemoveOnCancelPolicy(true);
  }

  /// As many as there are tasks; dispatchers are carried by the loop, if it can.
  private static final class Common extends ThreadPoolExecutor {
    private @Nullable ExecutorService carried;

    private Common(ThreadFactory factory) {
      super(0, Integer.MAX_VALUE, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), factory);
    }

    @Override
    public <T extends @Nullable Object> Future<T> submit(Runnable task, T result) {
      return carried != null && task instanceof Dispatcher
          ? carried.submit(task, result)
          : super.submit(task, result);
    }
  }

  /// For everything but the following.
  ExecutorService common() {
    return common;
  }

  ExecutorService writing() {
    return writing;
  }

  ExecutorService callbacks() {
    return callbacks;
  }

  ScheduledExecutorService scheduled() {
    return scheduled;
  }

  private List<ExecutorService> all() {
    return List.of(common, writing, callbacks, scheduled);
  }

  /// Blocks until what the client has told of is known, for a second at most. Nothing more is told.
  void endCallbacks() throws InterruptedException {
    callbacks.shutdown();
    if (!callbacks.awaitTermination(1, TimeUnit.SECONDS)) {
      NatsErrors.LOG.log(Level.DEBUG, "somebody is told of a connection for long");
    }
  }

  /// They end, as soon as what they do can be interrupted. Does not wait.
  void end() {
    all().forEach(ExecutorService::shutdownNow);
  }

  /// Blocks until they have ended, for so long. False if some have not.
  boolean awaitEnd(long nanos) throws InterruptedException {
    long limit = System.nanoTime() + nanos;
    for (ExecutorService each : all()) {
      if (!each.awaitTermination(limit - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    }
    return true;
  }
}
