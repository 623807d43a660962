// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.stream.ByteStream;
import dev.couv.time.Time;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a simulation costs, printed: the figures of `docs/manual/simulation.md`.
@Tag("storm")
final class SimulationFiguresTest {
  private static final int HOSTS = 100;

  /// Each host asks its neighbour every so often, over a connection of its own.
  private static SimReport ring(int hosts, Duration every, Runnable atTheEnd) {
    return Simulation.run(
        1,
        sim -> {
          for (int i = 0; i < hosts; i++) {
            sim.host("h" + i, SimulationFiguresTest::echo);
          }
          for (int i = 0; i < hosts; i++) {
            String neighbour = "h" + i;
            sim.host("c" + i, () -> ask(neighbour, every));
          }
          sim.client("clock", () -> Time.sleep(Duration.ofMinutes(1)));
          sim.eventually(
              "it is measured",
              () -> {
                atTheEnd.run();
                return true;
              });
        });
  }

  private static void echo() throws Exception {
    try (TcpListener listener = Tcp.listen(new InetSocketAddress(7))) {
      listener.serve(peer -> ByteStream.copy(peer, peer));
    }
  }

  private static void ask(String neighbour, Duration every) throws Exception {
    Time.sleep(Duration.ofMillis(10));
    try (TcpStream stream = Tcp.connect(neighbour, 7)) {
      ByteBuffer answer = ByteBuffer.allocate(4);
      while (true) {
        stream.write("ping");
        stream.readFully(answer.clear());
        Time.sleep(every);
      }
    }
  }

  @SuppressWarnings("SystemOut") // they are wanted
  @Test
  void stepsAndSecondsAndMemory() {
    ring(5, Duration.ofMillis(10), () -> {}); // so that it is compiled
    long start = System.nanoTime();
    SimReport busy = ring(5, Duration.ofMillis(10), () -> {});
    double took = (System.nanoTime() - start) / 1e9;
    start = System.nanoTime();
    SimReport idle = ring(5, Duration.ofSeconds(1), () -> {});
    double idleTook = (System.nanoTime() - start) / 1e9;
    AtomicLong memory = new AtomicLong();
    long before = used();
    ring(HOSTS / 2, Duration.ofSeconds(1), () -> memory.set(used() - before));
    System.out.printf(
        "%.0f steps per second; %.0f simulated seconds per second where ten hosts are idle; %d KiB"
            + " for %d hosts%n",
        busy.steps() / took, idle.elapsed().toSeconds() / idleTook, memory.get() / 1024, HOSTS);
    assertTrue(busy.steps() / took > 500, busy.steps() + " steps in " + took + " s");
    assertTrue(memory.get() < 200L << 20, memory + " bytes");
  }

  /// It is driven by what happens: ten times as many hosts that do the same take ten times as many steps.
  @SuppressWarnings("SystemOut") // it is wanted
  @Test
  void fiveHundredHosts() {
    Duration every = Duration.ofSeconds(5);
    SimReport few = ring(25, every, () -> {});
    long start = System.nanoTime();
    SimReport many = ring(250, every, () -> {});
    System.out.printf(
        "500 hosts: %d steps, %.1f s; 50: %d steps%n",
        many.steps(), (System.nanoTime() - start) / 1e9, few.steps());
    assertTrue(many.steps() > 9 * few.steps(), many + " beside " + few);
    assertTrue(many.steps() < 11 * few.steps(), many + " beside " + few);
  }

  private static long used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
