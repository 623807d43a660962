// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.memory.Entropy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// Faults that a seed chooses: which of the hosts are hit, when, by what, and for how long. By default crashes, pauses,
/// partitions and resets, on average every two seconds, each over after a second on average, and none after a minute.
///
/// @param hosts those that are hit
/// @param every how long from one to the next, on average
/// @param lasting how long each lasts, on average
/// @param until when the last one begins; so much later than that, all are over
/// @param storms whether ways between two hosts are slow and lose much
/// @param slowDisks whether disks are slow, or stall
/// @param diskFaults whether disks are full, or calls fail there with `EIO`
/// @param skews whether clocks jump ahead, and go faster or slower; they stay ahead
public record Chaos(
    List<String> hosts,
    Duration every,
    Duration lasting,
    Duration until,
    boolean crashes,
    boolean pauses,
    boolean partitions,
    boolean resets,
    boolean storms,
    boolean slowDisks,
    boolean diskFaults,
    boolean skews) {
  /// Copies the hosts, and refuses lengths of time that are not positive.
  public Chaos {
    hosts = List.copyOf(hosts);
    if (!every.isPositive() || !lasting.isPositive() || !until.isPositive()) {
      throw new IllegalArgumentException(
          "chaos needs positive times, not " + every + ", " + lasting + " and " + until);
    }
  }

  /// What most programs are to stand, to those hosts.
  public static Chaos of(String... hosts) {
    return new Chaos(
        List.of(hosts),
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        Duration.ofMinutes(1),
        true,
        true,
        true,
        true,
        false,
        false,
        false,
        false);
  }

  /// Everything there is, to those hosts.
  public static Chaos all(String... hosts) {
    return of(hosts).withStorms(true).withSlowDisks(true).withDiskFaults(true).withSkews(true);
  }

  /// The same, so often and for so long.
  public Chaos withPace(Duration newEvery, Duration newLasting) {
    return with(
        draft -> {
          draft.every = newEvery;
          draft.lasting = newLasting;
        });
  }

  /// The same, but it begins nothing after that.
  public Chaos withUntil(Duration newUntil) {
    return with(draft -> draft.until = newUntil);
  }

  /// The same, with or without crashes.
  public Chaos withCrashes(boolean on) {
    return with(draft -> draft.crashes = on);
  }

  /// The same, with or without pauses.
  public Chaos withPauses(boolean on) {
    return with(draft -> draft.pauses = on);
  }

  /// The same, with or without partitions.
  public Chaos withPartitions(boolean on) {
    return with(draft -> draft.partitions = on);
  }

  /// The same, with or without connections that are reset.
  public Chaos withResets(boolean on) {
    return with(draft -> draft.resets = on);
  }

  /// The same, with or without ways between two hosts that are slow and lose much.
  public Chaos withStorms(boolean on) {
    return with(draft -> draft.storms = on);
  }

  /// The same, with or without disks that are slow, or stall.
  public Chaos withSlowDisks(boolean on) {
    return with(draft -> draft.slowDisks = on);
  }

  /// The same, with or without disks that are full, or fail.
  public Chaos withDiskFaults(boolean on) {
    return with(draft -> draft.diskFaults = on);
  }

  /// The same, with or without clocks that jump ahead, and go faster or slower.
  public Chaos withSkews(boolean on) {
    return with(draft -> draft.skews = on);
  }

  private Chaos with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.made();
  }

  /// One in the making.
  private static final class Draft {
    private final List<String> hosts;
    private Duration every;
    private Duration lasting;
    private Duration until;
    private boolean crashes;
    private boolean pauses;
    private boolean partitions;
    private boolean resets;
    private boolean storms;
    private boolean slowDisks;
    private boolean diskFaults;
    private boolean skews;

    Draft(Chaos from) {
      hosts = from.hosts;
      every = from.every;
      lasting = from.lasting;
      until = from.until;
      crashes = from.crashes;
      pauses = from.pauses;
      partitions = from.partitions;
      resets = from.resets;
      storms = from.storms;
      slowDisks = from.slowDisks;
      diskFaults = from.diskFaults;
      skews = from.skews;
    }

    Chaos made() {
      return new Chaos(
          hosts,
          every,
          lasting,
          until,
          crashes,
          pauses,
          partitions,
          resets,
          storms,
          slowDisks,
          diskFaults,
          skews);
    }
  }

  /// Draws the faults, from that moment on.
  List<Fault> plan(Entropy entropy, Duration from) {
    List<Fault.Kind> kinds = kinds();
    List<Fault> faults = new ArrayList<>();
    if (kinds.isEmpty() || hosts.isEmpty()) {
      return faults;
    }
    SplittableRandom random = entropy.random();
    long moment = 0;
    while (true) {
      moment += around(every, random);
      if (moment > until.toNanos()) {
        return faults;
      }
      Fault.Kind kind = kinds.get(random.nextInt(kinds.size()));
      int one = random.nextInt(hosts.size());
      int other = (one + 1 + random.nextInt(Math.max(1, hosts.size() - 1))) % hosts.size();
      long lasts = around(lasting, random);
      faults.add(
          new Fault(
              kind,
              hosts.get(one),
              kind.isOfTwo() ? hosts.get(other) : "",
              from.plusNanos(moment),
              Duration.ofNanos(lasts),
              kind.hasStrength() ? random.nextDouble() : 1));
    }
  }

  private List<Fault.Kind> kinds() {
    List<Fault.Kind> kinds = new ArrayList<>();
    if (crashes) {
      kinds.add(Fault.Kind.CRASH);
    }
    if (pauses) {
      kinds.add(Fault.Kind.PAUSE);
    }
    if (partitions && hosts.size() > 1) {
      kinds.add(Fault.Kind.PARTITION);
      kinds.add(Fault.Kind.ONE_WAY_PARTITION);
    }
    if (resets && hosts.size() > 1) {
      kinds.add(Fault.Kind.RESET);
    }
    if (storms && hosts.size() > 1) {
      kinds.add(Fault.Kind.STORM);
    }
    if (slowDisks) {
      kinds.add(Fault.Kind.SLOW_DISK);
      kinds.add(Fault.Kind.STALLING_DISK);
    }
    if (diskFaults) {
      kinds.add(Fault.Kind.FULL_DISK);
      kinds.add(Fault.Kind.FAILING_DISK);
    }
    if (skews) {
      kinds.add(Fault.Kind.SKEW);
    }
    return kinds;
  }

  private static long around(Duration average, SplittableRandom random) {
    return 1 + (long) (average.toNanos() * -StrictMath.log(1 - random.nextDouble()));
  }
}
