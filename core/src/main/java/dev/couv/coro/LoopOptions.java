// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.host.HostWorld;
import dev.couv.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// How a loop is to run: what ends it gracefully, how long one coroutine may hold it, whether a likely
/// deadlock is one, where it gets its time from, and whether the order of ready coroutines is shuffled.
/// The last two, and the world outside of it, are a test's seams.
///
/// @param time where it gets its time from
/// @param shuffleSeed draws the order of ready coroutines; empty for first come, first served
/// @param shutdownOn what ends it gracefully, if anything does
/// @param turnLimit how long one coroutine may hold it before that is told
/// @param strictDeadlocks whether a likely deadlock is one; empty leaves it to the system property
/// @param world what is outside of it
@SuppressWarnings("exports") // a world is made by the runtime's own modules
public record LoopOptions(
    TimeSource time,
    OptionalLong shuffleSeed,
    Optional<ShutdownOn> shutdownOn,
    Optional<Duration> turnLimit,
    Optional<Boolean> strictDeadlocks,
    World world) {
  /// The machine's clock, first come first served; the end comes by itself. Turns are watched if the
  /// system property `couv.turn-limit` gives a time in milliseconds; deadlocks are strict if
  /// `couv.deadlock.strict` is true.
  public static final LoopOptions DEFAULT =
      new LoopOptions(
          TimeSource.SYSTEM,
          OptionalLong.empty(),
          Optional.empty(),
          turnLimitByProperty(),
          Optional.empty(),
          HostWorld.INSTANCE);

  /// What asks for a shutdown, and the time it may take.
  ///
  /// @param triggers what asks for it
  /// @param grace how long it may take before what is left is cancelled
  public record ShutdownOn(List<ShutdownTrigger> triggers, Duration grace) {
    /// Copies the triggers, and refuses a negative grace.
    public ShutdownOn {
      triggers = List.copyOf(triggers);
      checkGrace(grace);
    }
  }

  /// Refuses null, and a turn limit that is not positive.
  public LoopOptions {
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(shuffleSeed, "shuffleSeed");
    Objects.requireNonNull(shutdownOn, "shutdownOn");
    Objects.requireNonNull(strictDeadlocks, "strictDeadlocks");
    Objects.requireNonNull(world, "world");
    if (turnLimit.isPresent() && !turnLimit.get().isPositive()) {
      throw new IllegalArgumentException("a turn limit of " + turnLimit.get());
    }
  }

  /// These options with another clock.
  public LoopOptions withTime(TimeSource newTime) {
    return new LoopOptions(newTime, shuffleSeed, shutdownOn, turnLimit, strictDeadlocks, world);
  }

  /// These options, but ready coroutines run in an order drawn from the seed instead of FIFO: a program
  /// must not depend on it, and a test shows whether it does.
  public LoopOptions withShuffle(long seed) {
    return new LoopOptions(
        time, OptionalLong.of(seed), shutdownOn, turnLimit, strictDeadlocks, world);
  }

  /// These options, but a run of [Loop#run(Body)] is shut down, as by [Loop#shutdown], when a trigger asks for
  /// it: `withShutdownOn(Duration.ofSeconds(5), Signal.INT, Signal.TERM)`. The second time it ends
  /// without grace.
  public LoopOptions withShutdownOn(Duration grace, ShutdownTrigger... triggers) {
    return new LoopOptions(
        time,
        shuffleSeed,
        Optional.of(new ShutdownOn(List.of(triggers), grace)),
        turnLimit,
        strictDeadlocks,
        world);
  }

  /// These options, but a turn of a coroutine that holds the loop for longer than this is logged, and
  /// recorded by the flight recorder, with the frames where it was: see `docs/manual/inside.md`.
  public LoopOptions withTurnLimit(Duration limit) {
    return new LoopOptions(
        time, shuffleSeed, shutdownOn, Optional.of(limit), strictDeadlocks, world);
  }

  /// These options, but strict or not: when only another thread could still wake the coroutines that are left,
  /// none has for a second, and none is seen that looks as if it would, then a strict [Loop#run(Body)]
  /// throws [Deadlock]. It may be wrong: a thread that waits, or a virtual one, does not tell what it is
  /// about. One that is not strict throws only what is certain; else it writes to the log who waits for
  /// what, once, and goes on waiting.
  public LoopOptions withStrictDeadlocks(boolean strict) {
    return new LoopOptions(time, shuffleSeed, shutdownOn, turnLimit, Optional.of(strict), world);
  }

  /// These options, but sockets, files and whatever else is outside of the loop are those of that world: one in memory,
  /// for a test. A pool that is opened on the loop lives there, too: one world is then used by several threads. What is
  /// called outside of a coroutine reaches the host's own all the same.
  public LoopOptions withWorld(World newWorld) {
    return new LoopOptions(time, shuffleSeed, shutdownOn, turnLimit, strictDeadlocks, newWorld);
  }

  static void checkGrace(Duration grace) {
    if (grace.isNegative()) {
      throw new IllegalArgumentException("a grace period of " + grace);
    }
  }

  private static Optional<Duration> turnLimitByProperty() {
    Long millis = Long.getLong("couv.turn-limit");
    return millis == null || millis <= 0
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(millis));
  }
}
