// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.coro.Action;
import dev.couv.memory.Entropy;
import dev.couv.memory.Node;
import dev.couv.signal.Signal;
import dev.couv.strand.Strand;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/// A distributed program in a world of its own: hosts with names and addresses, a network between them, and time that
/// passes only when something happens. One thread drives all of it, and everything that is left to chance comes from one seed:
/// the same seed makes the same run.
///
/// ```java
/// Simulation.run(42, sim -> {
///   sim.host("echo", () -> {
///     try (var listener = Tcp.listen(new InetSocketAddress(7))) {
///       listener.serve(peer -> ByteStream.copy(peer, peer));
///     }
///   });
///   sim.client("user", () -> {
///     try (var stream = Tcp.connect("echo", 7)) { … }
///   });
/// });
/// ```
///
/// The programs are ordinary ones: what they call of Couv reaches the simulated world. What they call elsewhere does not, and is
/// the same in two runs only if it depends on nothing but its arguments.
///
/// Its methods are for the scenario, and for the coroutines of its hosts: never for other threads.
public final class Simulation {
  private static final Duration LIMIT = Duration.ofMinutes(30);
  private static final double SITE_IN_USE = 0.25;

  private final Stage stage;
  private final Entropy chance;
  private final Entropy shuffles;
  private final Entropy sites;
  private final Entropy hostChance;
  private final Entropy plans;
  private final Map<String, SimulatedHost> hosts = new HashMap<>();
  private final Map<String, Program> programs = new LinkedHashMap<>();
  private final Map<String, Boolean> sitesInUse = new HashMap<>();
  private final List<Fault> faults = new ArrayList<>();

  /// By their numbers in the plan: those that are not to happen.
  private final Set<Integer> leftOut;

  Simulation(long seed, Set<Integer> leftOut) {
    Entropy entropy = new Entropy(seed);
    this.leftOut = leftOut;
    stage = new Stage(seed, entropy.split(), LIMIT.toNanos(), leftOut.isEmpty());
    chance = entropy.split();
    shuffles = entropy.split();
    sites = entropy.split();
    hostChance = entropy.split();
    plans = entropy.split();
  }

  /// Runs the scenario until all its clients have ended, or all its hosts if it has no client.
  ///
  /// If it fails it is run again, and told if it then goes otherwise. One that fails by a [Chaos] is run with fewer and fewer faults,
  /// and told is the run with the fewest.
  ///
  /// @throws SimulationFailure if a host or a client failed, or something did not hold
  /// @throws IllegalStateException if the caller is a coroutine
  public static SimReport run(long seed, Scenario scenario) {
    return run(seed, scenario, scenario.getClass().getNestHost());
  }

  /// @param program where the scenario is from
  static SimReport run(long seed, Scenario scenario, Class<?> program) {
    if (Strand.currentOrNull() != null) {
      throw new IllegalStateException("a simulation has loops of its own: not inside a coroutine");
    }
    return Thread.currentThread().isVirtual()
        ? runElsewhere(seed, scenario, program)
        : Shrinking.run(seed, scenario, program);
  }

  /// A virtual thread cannot carry coroutines.
  private static SimReport runElsewhere(long seed, Scenario scenario, Class<?> program) {
    FutureTask<SimReport> run = new FutureTask<>(() -> Shrinking.run(seed, scenario, program));
    Thread.ofPlatform().name("couv-simulation").start(run);
    try {
      return run.get();
    } catch (InterruptedException kept) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a simulation runs", kept);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof SimulationFailure failure) {
        throw failure;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }

  Stage stage() {
    return stage;
  }

  List<Fault> faults() {
    return faults;
  }

  // ---- hosts

  /// A host that runs the body from the beginning, and again whenever it is restarted. It need not end.
  public void host(String name, Action body) {
    add(name, body, false);
  }

  /// A host that runs the body once; the simulation lasts until all such have ended.
  public void client(String name, Action body) {
    add(name, body, true);
  }

  private void add(String name, Action body, boolean client) {
    int number = hosts.size() + 1;
    List<InetAddress> addresses =
        List.of(
            InetAddress.ofLiteral(
                "10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255)),
            InetAddress.ofLiteral("fd00::" + Integer.toHexString(number)));
    Node node = stage.network().add(name, addresses, hostChance.split());
    SimulatedHost host =
        new SimulatedHost(
            node,
            body,
            client,
            shuffles.random().nextLong(),
            new HostClock(stage.timeline()),
            stage.outsiders());
    hosts.put(name, host);
    node.whenKilled(() -> stage.at(now(), host, "killed", host::kill));
    node.history((what, detail) -> stage.history().add(now(), -1, node.index(), what, detail, 0));
    programs.forEach((called, program) -> node.program(called, program::run));
    stage.add(host);
  }

  /// A program that all hosts have, and can start by [dev.couv.process.Command], in the place of one of the system: it is found
  /// by its name, or at that absolute path. Those that are added later have it, too.
  ///
  /// It is a process of its own there, and ends with the host when that crashes. What its parent leaves behind goes on.
  ///
  /// @throws IllegalArgumentException if that is neither a name nor an absolute path, or a host has such a program already
  public void program(String name, Program program) {
    Objects.requireNonNull(program, "program");
    Node.checkProgram(name);
    if (programs.putIfAbsent(name, program) != null) {
      throw new IllegalArgumentException("there is a program " + name + " already");
    }
    for (SimulatedHost host : stage.hosts()) {
      host.node().program(name, program::run);
    }
  }

  /// Like [#program(String, Program)], of one host alone.
  ///
  /// @throws IllegalArgumentException likewise, or if there is no such host
  public void program(String host, String name, Program program) {
    Objects.requireNonNull(program, "program");
    find(host).node().program(name, program::run);
  }

  private SimulatedHost find(String name) {
    SimulatedHost host = hosts.get(name);
    if (host == null) {
      throw new IllegalArgumentException("there is no host " + name);
    }
    return host;
  }

  /// The address of a host; it has one of IPv6, too.
  public InetAddress address(String host) {
    return find(host).node().addresses().getFirst();
  }

  /// Another name, for the addresses of those hosts, in that order.
  public void alias(String name, String... of) {
    List<InetAddress> addresses = new ArrayList<>();
    for (String host : of) {
      addresses.addAll(find(host).node().addresses());
    }
    stage.network().alias(name, addresses);
  }

  /// Another name, for those addresses, whether anybody has them or not.
  public void alias(String name, InetAddress... addresses) {
    stage.network().alias(name, List.of(addresses));
  }

  // ---- chance

  /// Numbers of the seed, for the scenario and the clients: what a test wants to vary.
  public RandomGenerator random() {
    return chance.random();
  }

  /// Whether to do the unusual here: a quarter of all places are chosen by the seed, and there it is so every second time. With
  /// this a program lets its limits, sizes and timeouts be bent where it is tested.
  public boolean sometimes(String place) {
    return sometimes(place, 0.5);
  }

  /// Like [#sometimes(String)]; at a place that is chosen, with that probability.
  public boolean sometimes(String place, double probability) {
    Weather.checkProbability(probability, place);
    boolean inUse =
        sitesInUse.computeIfAbsent(place, _ -> sites.random().nextDouble() < SITE_IN_USE);
    return inUse && sites.chance(probability);
  }

  // ---- the network

  /// What all ways are like from now on, but those that have a weather of their own.
  public void weather(Weather weather) {
    stage.links().weather(weather);
  }

  /// What the way from one host to another is like from now on; the way back is another.
  public void weather(String from, String to, Weather weather) {
    stage.links().weather(find(from).node(), find(to).node(), weather);
  }

  /// Nothing gets from one to the other any more, nor back. Connections last, and go on when that is healed soon enough.
  public void partition(String one, String other) {
    partitionOneWay(one, other);
    partitionOneWay(other, one);
  }

  /// Nothing gets from one to the other any more; the way back stays open.
  public void partitionOneWay(String from, String to) {
    note(to, "cut from " + from);
    stage.links().cut(find(from).node(), find(to).node());
  }

  /// Nothing gets to that host or away from it any more.
  public void isolate(String name) {
    for (SimulatedHost other : List.copyOf(stage.hosts())) {
      if (!other.name().equals(name)) {
        partition(name, other.name());
      }
    }
  }

  /// The ways between the two are open again.
  public void heal(String one, String other) {
    note(other, "healed with " + one);
    stage.links().heal(find(one).node(), find(other).node());
    stage.links().heal(find(other).node(), find(one).node());
  }

  /// All ways are open again.
  public void heal() {
    record("healed");
    stage.links().heal();
  }

  /// All connections between the two are reset.
  public void reset(String one, String other) {
    note(other, "connections reset with " + one);
    SimulatedHost here = find(one);
    SimulatedHost there = find(other);
    stage.at(now(), there, "reset", () -> stage.network().reset(here.node(), there.node()));
    stage.at(now(), here, "reset", () -> {});
  }

  // ---- faults of hosts

  /// The host loses its power, now, whatever it does: nobody is told. Does nothing if it is down.
  ///
  /// Its code unwinds, in a world where nothing that it does has any effect.
  public void crash(String name) {
    SimulatedHost host = find(name);
    stage.at(now(), host, "crash", host::crash);
  }

  /// The host starts again, from the beginning of its body. Does nothing if it runs.
  public void restart(String name) {
    SimulatedHost host = find(name);
    stage.at(
        now(),
        host,
        "restart",
        () -> {
          if (host.state() == SimulatedHost.State.DOWN) {
            host.start();
          }
        });
  }

  /// A signal comes to the host's program. One that it does not catch ends it.
  public void signal(String name, Signal signal) {
    SimulatedHost host = find(name);
    stage.at(now(), host, "signal " + signal, () -> host.node().signal(signal.name()));
  }

  /// What the host's disk is like from now on.
  public void disk(String name, DiskWeather weather) {
    find(name).disk().weather(weather);
  }

  /// The host's program stands still, as by a long pause of its collector; its clock goes on.
  public void pause(String name) {
    SimulatedHost host = find(name);
    stage.at(now(), host, "pause", host::pause);
  }

  /// The host's program goes on.
  public void resume(String name) {
    SimulatedHost host = find(name);
    stage.at(now(), host, "resume", host::resume);
  }

  /// The host's clock is that much further from now on, and goes that much faster: a million parts are twice as fast.
  ///
  /// @throws IllegalArgumentException if it would go back, or not go on
  public void skew(String name, Duration ahead, long partsPerMillion) {
    if (ahead.isNegative() || partsPerMillion <= -1_000_000) {
      throw new IllegalArgumentException(
          "a clock does not go back: " + ahead + ", " + partsPerMillion + " parts per million");
    }
    find(name).clock().skew(ahead.toNanos(), partsPerMillion);
  }

  /// Does that so much later, between the turns of all hosts: no coroutine, it waits for nothing.
  public void after(Duration time, Runnable done) {
    stage.timeline().add(now() + time.toNanos(), null, done);
  }

  /// Faults of the seed, from now on.
  public void chaos(Chaos chaos) {
    chaos.hosts().forEach(this::find);
    for (Fault fault : chaos.plan(plans.split(), elapsed())) {
      boolean isLeftOut = leftOut.contains(faults.size());
      faults.add(fault);
      // One that is left out has its place: so all is the same before it.
      stage
          .timeline()
          .add(
              fault.at().toNanos(),
              null,
              () -> {
                if (!isLeftOut) {
                  begin(fault);
                }
              });
    }
  }

  private void begin(Fault fault) {
    String host = fault.host();
    String other = fault.other();
    switch (fault.kind()) {
      case CRASH -> during(fault, () -> crash(host), () -> restart(host));
      case PAUSE -> during(fault, () -> pause(host), () -> resume(host));
      case PARTITION -> during(fault, () -> partition(host, other), () -> heal(host, other));
      case ONE_WAY_PARTITION ->
          during(fault, () -> partitionOneWay(host, other), () -> heal(host, other));
      case RESET -> reset(host, other);
      case STORM -> storm(fault, find(host).node(), find(other).node());
      case SLOW_DISK, STALLING_DISK, FULL_DISK, FAILING_DISK -> {
        note(host, fault.kind() + " begins");
        SimulatedDisk disk = find(host).disk();
        during(fault, () -> disk.trouble(fault), () -> disk.trouble(null));
      }
      case SKEW ->
          during(
              fault,
              () -> skewNow(host, fault.ahead(), fault.partsPerMillion()),
              () -> skewNow(host, Duration.ZERO, 0));
    }
  }

  private void during(Fault fault, Runnable begin, Runnable end) {
    begin.run();
    after(fault.lasting(), end);
  }

  private void storm(Fault fault, Node one, Node other) {
    note(fault.other(), "storm from and to " + fault.host());
    stage.links().storm(one, other, fault.weather());
    stage.links().storm(other, one, fault.weather());
    after(
        fault.lasting(),
        () -> {
          stage.links().calm(one, other);
          stage.links().calm(other, one);
        });
  }

  /// The host has a turn then, because its timers may be due sooner.
  private void skewNow(String name, Duration ahead, long partsPerMillion) {
    stage.at(now(), find(name), "skew", () -> skew(name, ahead, partsPerMillion));
  }

  // ---- what must hold

  /// Must hold whenever something has happened. Quick, and it changes nothing.
  public void always(String what, BooleanSupplier holds) {
    stage.always(new Stage.Claim(what, holds));
  }

  /// Must hold in the end, when all clients have.
  public void eventually(String what, BooleanSupplier holds) {
    stage.eventually(new Stage.Claim(what, holds));
  }

  /// Something to be seen in the history.
  public void record(String what) {
    stage.history().add(now(), -1, -1, "note", what, 0);
  }

  private void note(String host, String what) {
    stage.history().add(now(), -1, find(host).node().index(), "note", what, 0);
  }

  /// How much of its time has passed.
  public Duration elapsed() {
    return Duration.ofNanos(now());
  }

  private long now() {
    return stage.timeline().now();
  }

  /// It fails if it is not over by then; 30 minutes unless told otherwise.
  public void limit(Duration limit) {
    stage.limit(limit.toNanos());
  }
}
