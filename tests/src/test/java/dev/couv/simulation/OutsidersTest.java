// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Patience;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.sync.Promise;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Threads that come into a simulation from outside are found, and named.
final class OutsidersTest {
  private static String failure(Scenario scenario) {
    SimulationFailure failure =
        assertThrows(SimulationFailure.class, () -> Simulation.run(1, scenario));
    return String.valueOf(failure.getMessage());
  }

  /// Somebody waits for a promise, and a thread completes it.
  private static void completed(Simulation sim) {
    sim.client(
        "user",
        () -> {
          Promise<String> promise = new Promise<>();
          Coroutine<String> waiting = Coroutine.spawn(promise::await);
          Time.sleep(Duration.ofSeconds(1)); // it waits by then
          Thread outside =
              Thread.ofPlatform().name("stranger").start(() -> promise.complete("now"));
          Loop.offload(
              () -> {
                outside.join();
                return true;
              });
          waiting.await();
        });
  }

  @Test
  void aThreadThatComesInIsNamedWithItsCall() {
    String told = failure(OutsidersTest::completed);
    assertTrue(told.contains("left the simulated world"), told);
    assertTrue(told.contains("user: the thread \"stranger\" came from outside"), told);
    assertTrue(told.contains("by Promise.complete at"), told);
    assertTrue(told.contains("OutsidersTest"), told);
  }

  /// Nothing can happen in the simulation by then.
  @Test
  void aThreadThatComesSoonIsNamedAsWell() {
    String told =
        failure(
            sim ->
                sim.client(
                    "user",
                    () -> {
                      Promise<String> promise = new Promise<>();
                      Thread waiting = Thread.currentThread();
                      Thread.ofPlatform()
                          .name("late")
                          .start(
                              () -> {
                                Patience.until(() -> waiting.getState() != Thread.State.RUNNABLE);
                                LockSupport.parkNanos(10_000_000);
                                promise.complete("x");
                              });
                      promise.await();
                    }));
    assertTrue(told.contains("user: the thread \"late\" came from outside"), told);
    assertFalse(told.contains("nothing can happen any more"), told);
  }

  @Test
  void aCallThatIsWaitedForMayComeIn() {
    Simulation.run(
        1,
        sim ->
            sim.client(
                "user",
                () -> {
                  Promise<String> promise = new Promise<>();
                  Coroutine<String> waiting = Coroutine.spawn(promise::await);
                  Time.sleep(Duration.ofSeconds(1)); // it waits by then
                  Loop.offload(() -> promise.complete("now"));
                  assertEquals("now", waiting.await());
                }));
  }

  /// A byte comes as soon as it waits for that.
  private static void readsFromASocket() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback);
        Socket here = new Socket(loopback, server.getLocalPort());
        Socket there = server.accept()) {
      Thread reading = Thread.currentThread();
      Thread.ofPlatform()
          .start(
              () -> {
                Patience.until(() -> reading.getState() == Thread.State.WAITING);
                write(there);
              });
      assertEquals(7, here.getInputStream().read());
    }
  }

  private static void write(Socket socket) {
    try {
      socket.getOutputStream().write(7);
    } catch (IOException lost) {
      throw new AssertionError(lost);
    }
  }

  /// On a busy machine it takes so long that it is found before the byte comes.
  @Tag("loop-scheduled-engine") // the other blocks with it
  @Test
  void aRealSocketIsFound() {
    String told = failure(sim -> sim.client("user", OutsidersTest::readsFromASocket));
    assertTrue(
        told.contains("user: a coroutine waits for a real socket or pipe")
            || told.contains("user: a coroutine blocks in plain Java code"),
        told);
  }
}
