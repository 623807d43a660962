// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.fail;

import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A real event loop for each test of a class, turned by the test's own thread.
final class TestLoop implements BeforeEachCallback, AfterEachCallback {
  /// How long a test waits for what must happen; far more than it ever takes.
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private static final String BLOCK = "  native block of ";

  private static final ScheduledExecutorService WATCHDOG =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("test watchdog").factory());

  private Supplier<EventLoop> opening = TestLoop::open;
  private EventLoop loop;
  private ScheduledFuture<?> watch;
  private volatile boolean overdue;

  /// For JUnit.
  TestLoop() {}

  /// For JUnit, with such loops.
  TestLoop(Supplier<EventLoop> opening) {
    this.opening = opening;
  }

  /// The loop is the test's own, which closes it.
  TestLoop(EventLoop loop) {
    this.loop = loop;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    EventLoop opened = opening.get();
    loop = opened;
    Runnable wake =
        () -> {
          overdue = true;
          opened.wake();
        };
    watch = WATCHDOG.scheduleAtFixedRate(wake, 2 * PATIENCE_NANOS, PATIENCE_NANOS, NANOSECONDS);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    watch.cancel(false);
    close(loop);
  }

  /// One for which libuv waits by itself, as where there is no epoll.
  static EventLoop openWithoutEpoll() {
    try (var _ =
        NativeCalls.replace(
            "epoll_create1", NativeCalls.failing("epoll_create1", UvErrors.code("ENOSYS")))) {
      return open();
    }
  }

  static EventLoop open() {
    return new EventLoop(System::nanoTime, () -> true);
  }

  static void close(EventLoop loop) {
    loop.close(_ -> fail("a posted task was left"));
  }

  EventLoop loop() {
    return loop;
  }

  EventLoopStats stats() {
    return loop.stats();
  }

  /// A turn that serves what is ready and does not wait.
  void turn() {
    turn(false);
  }

  private void turn(boolean mayBlock) {
    if (mayBlock) {
      waitInPoll();
    } else {
      loop.poll(false, true);
    }
    loop.fireTimers(Integer.MAX_VALUE);
    loop.runPosted(Integer.MAX_VALUE);
  }

  /// A turn of libuv that waits for something. If nothing comes, the test fails: it is woken in the
  /// end, because nothing else ends a poll.
  void waitInPoll() {
    loop.poll(true, true);
    if (overdue) {
      fail("nothing ended the poll: " + loop.describe());
    }
  }

  /// Turns the loop, waiting in libuv, until the condition holds.
  void turnUntil(BooleanSupplier condition) {
    Limit limit = new Limit();
    loop.timers().add(limit, loop.clock() + PATIENCE_NANOS);
    try {
      while (!condition.getAsBoolean()) {
        turn(true);
        if (!limit.isQueued()) {
          fail("it did not happen: " + loop.describe());
        }
      }
    } finally {
      loop.timers().remove(limit);
    }
  }

  /// Until libuv owes no callback.
  void turnUntilQuiet() {
    turnUntil(() -> !loop.liveness().isWorking());
  }

  /// Who owns the native blocks in use, and in which state, without those of the loop itself.
  List<String> blocks() {
    return blocks(loop);
  }

  static List<String> blocks(EventLoop loop) {
    return loop.describe()
        .lines()
        .filter(line -> line.startsWith(BLOCK))
        .map(line -> line.substring(BLOCK.length()))
        .toList();
  }

  private static final class Limit extends TimerEntry {
    @Override
    protected void due() {}
  }
}
