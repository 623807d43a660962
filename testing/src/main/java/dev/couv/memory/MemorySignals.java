// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.world.AwaitedSignals;
import dev.couv.world.Request;
import dev.couv.world.Signals;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The signals of a process in memory. One that nobody catches does what it does by default: it ends the process, lets it stand
/// still or go on, or does nothing. Refused are those that the host's world refuses.
final class MemorySignals implements Signals {
  /// As Linux numbers them.
  private static final Map<String, Integer> NUMBERS = new LinkedHashMap<>();

  private static final int FIRST_QUEUED = 32;
  private static final int LAST = 64;
  private static final Set<String> HARMLESS = Set.of("CHLD", "CONT", "URG", "WINCH");
  private static final Set<String> STOPPING = Set.of("STOP", "TSTP", "TTIN", "TTOU");

  static {
    String[] names = {
      "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
      "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
      "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR", "SYS"
    };
    for (String name : names) {
      NUMBERS.put(name, NUMBERS.size() + 1);
    }
    for (int number = NUMBERS.size() + 1; number <= LAST; number++) {
      NUMBERS.put("SIG" + number, number);
    }
  }

  private record Catch(Set<String> names, Consumer<String> receiver) {}

  private final MemoryProcess process;
  private final List<Catch> catches = new ArrayList<>();

  /// What is on its way.
  private final Queue<String> sent = new ArrayDeque<>();

  /// Whether the process stands still, and which signals wait for it to go on, by their numbers: one of a kind, but of those
  /// that have no name of their own each.
  private boolean stopped;

  private final List<Integer> pending = new ArrayList<>();

  MemorySignals(MemoryProcess process) {
    this.process = process;
  }

  boolean isStopped() {
    return stopped;
  }

  @Override
  public int number(String name) {
    return NUMBERS.getOrDefault(name, 0);
  }

  @Override
  public String name(int number) {
    for (Map.Entry<String, Integer> entry : NUMBERS.entrySet()) {
      if (entry.getValue() == number) {
        return entry.getKey();
      }
    }
    throw new IllegalArgumentException("there is no signal " + number);
  }

  @Override
  public @Nullable String refusal(String name) {
    return switch (name) {
      case "KILL", "STOP" -> "the system does not allow it";
      case "SEGV", "BUS", "ILL", "FPE" -> "the Java VM needs it to run";
      case "PIPE", "XFSZ" -> "the Java VM ignores it, so that the write fails instead";
      case "QUIT" -> "the Java VM answers it with a thread dump";
      case "USR2" -> "the Java VM suspends threads with it";
      case "SIG62" -> "the JDK wakes threads with it";
      case "SIG32", "SIG33" -> "the C library needs it for its threads";
      default -> null;
    };
  }

  @Override
  public void send(long pid, String name) throws IOException {
    MemoryProcess to = process.node().process(pid);
    if (to == null) {
      throw Failures.named("ESRCH", "send " + name + " to", "process " + pid);
    }
    if (!process.isOver()) {
      to.signals().send(name);
    }
  }

  /// It comes to this process soon, and behind what was sent before: who is told to stop and to go on goes on.
  void send(String name) {
    Node node = process.node();
    sent.add(name);
    node.network().agenda().soon(node, () -> arrived(sent.remove()));
  }

  void arrived(String name) {
    if (process.isOver()) {
      return;
    }
    int number = number(name);
    if (name.equals("CONT")) {
      goOn(number);
    } else if (!stopped || name.equals("KILL")) {
      act(name);
    } else if (number >= FIRST_QUEUED || !pending.contains(number)) {
      pending.add(number);
    }
  }

  /// What waited comes in the order of its numbers, the signal to go on among it; but what would have it stand still again
  /// waits no more.
  private void goOn(int number) {
    stopped = false;
    pending.removeIf(waiting -> STOPPING.contains(name(waiting)));
    List<Integer> coming = new ArrayList<>(pending);
    pending.clear();
    coming.add(number);
    coming.sort(null);
    for (int next : coming) {
      if (!process.isOver()) {
        act(name(next));
      }
    }
  }

  private void act(String name) {
    boolean caught = false;
    for (Catch each : List.copyOf(catches)) {
      if (each.names().contains(name) && catches.contains(each)) {
        caught = true;
        each.receiver().accept(name);
      }
    }
    if (!caught && STOPPING.contains(name)) {
      stopped = true;
    } else if (!caught && !HARMLESS.contains(name)) {
      process.kill(name);
    }
  }

  @Override
  public Runnable open(EventLoop loop, Set<String> names, Consumer<String> receiver) {
    process.enter(loop);
    Catch each = new Catch(Set.copyOf(names), receiver);
    catches.add(each);
    return () -> catches.remove(each);
  }

  @Override
  public Request<String> await(EventLoop loop, Set<String> names) {
    return new AwaitedSignals(this, loop, names);
  }

  @Override
  public boolean subscribe(String name, Runnable listener) {
    catches.add(new Catch(Set.of(name), new Subscription(listener)));
    return true;
  }

  private record Subscription(Runnable listener) implements Consumer<String> {
    @Override
    public void accept(String name) {
      listener.run();
    }
  }

  @Override
  public void unsubscribe(String name, Runnable listener) {
    catches.remove(new Catch(Set.of(name), new Subscription(listener)));
  }
}
