// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.memory.Entropy;
import dev.couv.memory.Network;
import dev.couv.memory.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Drives the hosts of one simulation, all on one thread: takes the next event, lets it happen, and gives the host it
/// happened to its turns. Nothing is done for a host that nothing happens to.
final class Stage {
  /// Something that must hold; told by its name.
  record Claim(String what, BooleanSupplier holds) {}

  private static final long A_MOMENT = 1_000_000;
  private static final long PATIENCE = 100_000_000;

  private final long seed;
  private final History history = new History();
  private final Timeline timeline;
  private final Links links;
  private final Network network;
  private final Map<Node, SimulatedHost> hosts = new LinkedHashMap<>();
  private final List<Claim> always = new ArrayList<>();
  private final List<Claim> eventually = new ArrayList<>();
  private final List<String> escapes = new ArrayList<>();
  private final Outsiders outsiders = new Outsiders();
  private final boolean isPatient;
  private long limit;
  private long steps;

  /// Those whose end is waited for.
  private final List<SimulatedHost> clients = new ArrayList<>();

  /// @param isPatient whether it waits a moment for threads from outside, before it says that nothing can happen any more
  Stage(long seed, Entropy entropy, long limit, boolean isPatient) {
    this.seed = seed;
    this.isPatient = isPatient;
    this.limit = limit;
    timeline = new Timeline(entropy.split());
    links = new Links(entropy.split());
    network = new Network(timeline, links, this::arrived);
  }

  History history() {
    return history;
  }

  Timeline timeline() {
    return timeline;
  }

  Links links() {
    return links;
  }

  Network network() {
    return network;
  }

  Outsiders outsiders() {
    return outsiders;
  }

  Collection<SimulatedHost> hosts() {
    return hosts.values();
  }

  void limit(long nanos) {
    limit = nanos;
  }

  void always(Claim claim) {
    always.add(claim);
  }

  void eventually(Claim claim) {
    eventually.add(claim);
  }

  private void arrived(Node from, Node to, String what, int bytes, int mark) {
    String detail = bytes == 0 ? "" : Integer.toString(bytes);
    history.add(timeline.now(), from.index(), to.index(), what, detail, mark);
  }

  // ---- its hosts

  void add(SimulatedHost host) {
    hosts.put(host.node(), host);
    if (host.isClient()) {
      clients.add(host);
    }
    at(timeline.now(), host, "start", host::start);
  }

  /// Does that at that moment, between the turns of all hosts, and then gives this host a turn. What is asked for at one moment
  /// is done in that order.
  void at(long moment, SimulatedHost host, String what, Runnable done) {
    timeline.addFirst(
        moment,
        host.node(),
        () -> {
          history.add(timeline.now(), -1, host.node().index(), what, "", 0);
          done.run();
        });
  }

  // ---- running

  /// Runs until all clients have ended; if there are none, until all hosts have.
  void run() throws SimulationFailure {
    while (!isDone()) {
      Timeline.Entry next = timeline.next();
      if (next == null) {
        awaitOutsider();
        throw failure("nothing can happen any more" + waiting(), null);
      }
      if (next.moment() > limit) {
        throw failure(
            "it was not over after " + Moments.text(limit) + ": see Simulation.limit" + waiting(),
            null);
      }
      next.event().run();
      SimulatedHost host = next.where() == null ? null : hosts.get(next.where());
      if (host != null) {
        turn(host);
      }
      String outsider = outsiders.found();
      if (outsider != null) {
        escape(outsider);
      }
      check(always, "did not hold");
    }
    check(eventually, "did not come true");
  }

  /// Nothing can happen here: but a thread may be on its way from outside, and that is what to tell then.
  private void awaitOutsider() throws SimulationFailure {
    long end = System.nanoTime() + PATIENCE;
    while (isPatient && System.nanoTime() - end < 0) {
      String outsider = outsiders.found();
      if (outsider != null) {
        escape(outsider);
      }
      LockSupport.parkNanos(this, A_MOMENT);
    }
  }

  private boolean isDone() {
    for (SimulatedHost host : clients.isEmpty() ? hosts.values() : clients) {
      if (!host.isOver()) {
        return false;
      }
    }
    return true;
  }

  private void turn(SimulatedHost host) throws SimulationFailure {
    if (!host.isTurning()) {
      return;
    }
    try {
      int turns = host.run();
      steps += turns;
      history.turn(timeline.now(), host.node().index(), turns);
    } catch (RuntimeException | Error thrown) {
      throw failure(host + " could not go on: " + thrown, thrown);
    }
    if (host.isBlocked()) {
      escape(
          host
              + ": a coroutine blocks in plain Java code, in real time. Use Couv's functions, as"
              + " Time.sleep:\n"
              + host.dump());
    }
    if (host.isOver() && host.state() != SimulatedHost.State.DOWN) {
      Throwable failed = host.failure();
      host.ended();
      history.add(timeline.now(), -1, host.node().index(), "end", "", 0);
      if (failed != null) {
        throw failure(host + " failed: " + failed, failed);
      }
    }
    wake(host);
  }

  private void wake(SimulatedHost host) {
    long moment = host.nextDeadline();
    if (moment < host.wakes()) {
      host.wakes(moment);
      timeline.add(
          moment,
          host.node(),
          () -> {
            if (host.wakes() == moment) {
              host.wakes(Long.MAX_VALUE);
            }
          });
    }
  }

  private void check(List<Claim> claims, String verdict) throws SimulationFailure {
    for (int i = 0; i < claims.size(); i++) {
      if (!claims.get(i).holds().getAsBoolean()) {
        throw failure("\"" + claims.get(i).what() + "\" " + verdict, null);
      }
    }
  }

  /// Something happened that the seed does not decide.
  void escape(String what) throws SimulationFailure {
    escapes.add(what);
    throw failure("it left the simulated world, and cannot be repeated: " + what, null);
  }

  boolean hasEscaped() {
    return !escapes.isEmpty();
  }

  SimulationFailure failure(String what, @Nullable Throwable cause) {
    String message =
        "seed "
            + seed
            + ", after "
            + Moments.text(timeline.now())
            + " and "
            + steps
            + " steps: "
            + what;
    return cause == null
        ? new SimulationFailure(seed, message)
        : new SimulationFailure(seed, message, cause);
  }

  private String waiting() {
    StringBuilder words = new StringBuilder();
    for (SimulatedHost host : hosts.values()) {
      if (!host.isOver()) {
        words.append('\n').append(host).append(" (").append(host.state()).append("): ");
        words.append(host.dump());
      }
    }
    return words.toString();
  }

  SimReport report() {
    return new SimReport(
        seed, steps, Duration.ofNanos(timeline.now()), history.hash(), List.copyOf(escapes));
  }

  /// Ends whatever still runs, cut off from everything.
  void close() {
    for (SimulatedHost host : hosts.values()) {
      host.crash();
    }
    timeline.clear();
  }
}
