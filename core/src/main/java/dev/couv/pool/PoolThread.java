// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.error.ClosedException;
import dev.couv.net.TcpListener;
import dev.couv.sync.Chan;
import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One thread of a pool and its loop. A coroutine there, the taker, takes the next task when all that
/// is ready on the loop has had its turn, so that a thread that is busy leaves tasks to the others.
final class PoolThread {
  private final LoopPool pool;
  private final Chan<PoolTask<?>> queue;
  private final Loop loop = Loop.open();

  /// How many connections of servers it has.
  final AtomicInteger connections = new AtomicInteger();

  private volatile boolean leaving;

  /// Written by the loop; read there.
  private @Nullable Coroutine<?> taker;

  /// Loop only.
  private final IdentityHashMap<PoolServer, TcpListener> servers = new IdentityHashMap<>(0);

  PoolThread(LoopPool pool, Chan<PoolTask<?>> queue, String name) {
    this.pool = pool;
    this.queue = queue;
    Thread.ofPlatform().name(name).daemon().start(this::run);
  }

  Loop loop() {
    return loop;
  }

  private void run() {
    try (loop) {
      startTaker();
      do {
        loop.run(Mode.LOOP);
      } while (!pool.mayLeave(this));
    } finally {
      pool.left(this);
    }
  }

  private void startTaker() {
    loop.spawn(
        () -> {
          taker = Coroutine.current().named("taker of " + pool);
          LoopPool.CURRENT.get("a task").pool = pool;
          take();
        });
  }

  private void take() {
    while (!leaving) {
      PoolTask<?> task;
      try {
        task = queue.receive();
      } catch (ClosedException drained) {
        return;
      }
      task.start(loop);
      Coroutine.pause();
    }
  }

  /// Takes no more; what it has it finishes. Under the pool's lock.
  void leave() {
    leaving = true;
    post(
        () -> {
          if (taker != null) {
            taker.cancel("the pool has become smaller");
          }
          closeListeners();
        });
  }

  /// Takes tasks again. Under the pool's lock, after [#leave]: what that posted comes before this.
  void comeBack() {
    leaving = false;
    post(this::startTaker);
  }

  // ---- servers

  /// Loop thread.
  void serves(PoolServer server, TcpListener listener) {
    servers.put(server, listener);
    if (leaving) {
      closeListeners();
    }
  }

  /// Any thread.
  void stopServing(PoolServer server) {
    post(
        () -> {
          TcpListener listener = servers.remove(server);
          if (listener != null) {
            listener.close();
            server.left(this);
          }
        });
  }

  /// Any thread.
  void stopServing() {
    post(this::closeListeners);
  }

  private void closeListeners() {
    servers.forEach(
        (server, listener) -> {
          listener.close();
          server.left(this);
        });
    servers.clear();
  }

  /// In a coroutine of its loop, unless that is gone. Any thread.
  void post(Runnable task) {
    try {
      loop.post(task);
    } catch (ClosedException gone) {
      return; // and with it everything it had
    }
  }
}
