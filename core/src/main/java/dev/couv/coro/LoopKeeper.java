// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.EventLoopStats;
import dev.couv.strand.CancelRegion;
import dev.couv.strand.Clock;
import dev.couv.strand.Keeper;
import dev.couv.strand.LoopView;
import dev.couv.strand.Scheduler;
import dev.couv.strand.SpawnSite;
import dev.couv.strand.Strand;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One loop, below the handle that users hold: its scheduler, its own scope, and what becomes of failures, of those who
/// wait for others, and of its end.
final class LoopKeeper implements Keeper, LoopView {
  final Scheduler scheduler;
  private final UnclaimedFailures failures;
  final Reports reports;
  final Block root;
  final Outsiders outsiders;
  final Shutdown shutdown;

  /// What users hold.
  final Loop loop;

  final LoopOptions options;

  LoopKeeper(Loop loop, LoopOptions options, OnFailure onFailure) {
    this.loop = loop;
    this.options = options;
    TimeSource time = options.time();
    scheduler =
        new Scheduler(
            this,
            options.world(),
            new Clock(time::nanos, time.isVirtual(), time::quietNanos, time::jump),
            options.shuffleSeed(),
            options.turnLimit());
    failures = new UnclaimedFailures(scheduler);
    reports = new Reports(scheduler, this::root);
    root = new Block(scheduler, failures, reports, onFailure);
    outsiders = new Outsiders(scheduler, root, reports, options.strictDeadlocks());
    shutdown = new Shutdown(scheduler, root, this::drive, failures::isSettled);
    scheduler.events().residents(this);
  }

  static LoopKeeper of(Scheduler scheduler) {
    return (LoopKeeper) scheduler.keeper();
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public Block root() {
    return root;
  }

  // ---- running

  /// Runs until `done`, or until nothing can happen any more: then false.
  private boolean drive(BooleanSupplier done) {
    return scheduler.drive(done, () -> outsiders.await(scheduler::isBusy));
  }

  /// Runs a whole program until `done`. False only if it is certain that nothing can happen any more.
  boolean driveRun(BooleanSupplier done) {
    return scheduler.drive(done, () -> outsiders.awaitInRun(scheduler::isBusy));
  }

  boolean run(Mode mode) {
    return switch (mode) {
      case LOOP -> scheduler.runLoop(() -> outsiders.await(scheduler::isBusy));
      case STEP -> scheduler.runStep();
      case READY -> scheduler.runReady();
    };
  }

  /// Whether none can go on by itself, and every failure has been claimed by somebody, or handed to its scope.
  boolean isFinished() {
    return scheduler.active() == 0 && failures.isSettled();
  }

  /// Cancels every coroutine and runs until they have ended, or are given up.
  void endAll(String reason) {
    scheduler.unhalt();
    shutdown.run(reason);
  }

  LoopStats stats() {
    EventLoopStats e = scheduler.events().stats();
    return new LoopStats(
        scheduler.strands(),
        scheduler.ready(),
        e.openHandles(),
        e.closingHandles(),
        e.requests(),
        e.timers(),
        e.polls(),
        e.blocks(),
        e.nativeBytes(),
        Scheduler.engineKind());
  }

  @Override
  public int count() {
    return scheduler.strands();
  }

  @Override
  public String describe() {
    return Dump.of(stats(), root);
  }

  // ---- for its strands

  @Override
  public Error cancelled(CancelRegion region, String message) {
    return new Cancelled(region, message);
  }

  @Override
  public @Nullable CancelRegion unwindsTo(Throwable thrown) {
    return thrown instanceof Cancelled unwinding ? unwinding.region() : null;
  }

  @Override
  public Error resumed(String awaited, List<@Nullable Object> values) {
    return new Resumed(awaited, values);
  }

  @Override
  public void begin(String name, SpawnSite site, Callable<?> body) {
    Chore.beginShielded(new Strand(scheduler, body, root, site), name);
  }

  @Override
  public void settle(boolean idle) {
    failures.settle(idle);
  }

  @Override
  public void allEnded() {
    shutdown.removeDeadline();
  }
}
