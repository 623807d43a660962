// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the JDK sets up once per process must not depend on a loop, nor appear because of one.
@Tag("jvm")
class FreshJvmTest {
  // ---- timed parks

  @Test
  @Tag("loop-scheduled-engine")
  void timedParksNeedNoThreadOfTheJdk() throws Exception {
    assertEquals(List.of("timed out", "helpers: []"), FreshJvm.run(TimedParks.class));
  }

  /// That the check above can fail.
  @Test
  @Tag("hand-over-engine")
  void onTheOtherEngineTheyNeedOne() throws Exception {
    assertNotEquals(List.of("timed out", "helpers: []"), FreshJvm.run(TimedParks.class));
  }

  /// Every timed wait of the JDK, in coroutines.
  static final class TimedParks {
    public static void main(String[] args) throws Exception {
      Loop.run(
          () -> {
            ReentrantLock lock = new ReentrantLock();
            Coroutine.spawn(
                () -> {
                  lock.lock();
                  Time.sleep(Duration.ofMillis(50));
                  lock.unlock();
                });
            Coroutine.pause();
            List<Action> waits =
                List.of(
                    () -> Thread.sleep(5),
                    () -> LockSupport.parkNanos(5_000_000),
                    () -> lock.tryLock(5, TimeUnit.MILLISECONDS),
                    () -> new Semaphore(0).tryAcquire(5, TimeUnit.MILLISECONDS),
                    () -> new ArrayBlockingQueue<>(1).poll(5, TimeUnit.MILLISECONDS),
                    TimedParks::getInTime,
                    TimedParks::waitInTime);
            for (int i = 0; i < 10; i++) {
              waits.forEach(Coroutine::spawn);
            }
          });
      System.out.println("timed out");
      System.out.println(
          "helpers: "
              + Thread.getAllStackTraces().keySet().stream()
                  .map(Thread::getName)
                  .filter(name -> name.contains("unparker") || name.contains("elayScheduler"))
                  .toList());
    }

    private static void getInTime() throws Exception {
      try {
        new CompletableFuture<>().get(5, TimeUnit.MILLISECONDS);
        throw new AssertionError("completed");
      } catch (TimeoutException expected) {
        // As it should.
      }
    }

    private static void waitInTime() throws InterruptedException {
      Object monitor = new Object();
      synchronized (monitor) {
        monitor.wait(5);
      }
    }
  }

  // ---- the JDK's sockets

  @Test
  void theJdksSocketsOutliveTheLoopThatUsedThemFirst() throws Exception {
    assertEquals(
        List.of("in a coroutine: 42", "after the loop: 42"), FreshJvm.run(FirstSocket.class));
  }

  /// The first socket that blocks on a virtual thread does so in a coroutine.
  static final class FirstSocket {
    public static void main(String[] args) throws Exception {
      Loop.run(() -> System.out.println("in a coroutine: " + Loop.offload(FirstSocket::inLoop)));
      CompletableFuture<Integer> after = new CompletableFuture<>();
      Thread.startVirtualThread(
          () -> {
            try {
              after.complete(echo());
            } catch (Exception e) {
              after.completeExceptionally(e);
            }
          });
      System.out.println("after the loop: " + after.get(60, TimeUnit.SECONDS));
    }

    private static int inLoop() throws Exception {
      return Loop.run(() -> Coroutine.spawn(FirstSocket::echo).await());
    }

    /// Both sides wait: nothing is there when they read. Plain threads, where the engine has no other
    /// way not to block the loop.
    static int echo() throws Exception {
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        Thread client = Thread.ofPlatform().start(() -> answer(server));
        try (Socket accepted = server.accept()) {
          int read = accepted.getInputStream().read();
          client.join();
          return read;
        }
      }
    }

    private static void answer(ServerSocket server) {
      try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
        Thread.sleep(50);
        socket.getOutputStream().write(42);
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  @Tag("loop-scheduled-engine")
  void theJdksSocketsDoNotDependOnTheLoopThatUsedThemFirst() throws Exception {
    assertEquals(List.of("meanwhile: 42"), FreshJvm.run(BusyLoop.class));
  }

  /// The loop that was first keeps its thread busy, while others use sockets.
  static final class BusyLoop {
    public static void main(String[] args) throws Exception {
      Loop.run(
          () -> {
            FirstSocket.echo();
            CompletableFuture<Integer> other = new CompletableFuture<>();
            Thread.ofPlatform()
                .start(
                    () ->
                        Thread.startVirtualThread(
                            () -> {
                              try {
                                other.complete(FirstSocket.echo());
                              } catch (Exception e) {
                                other.completeExceptionally(e);
                              }
                            }));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!other.isDone() && System.nanoTime() - end < 0) {
              Thread.onSpinWait();
            }
            System.out.println("meanwhile: " + other.getNow(-1));
          });
    }
  }

  // ---- engines

  @Test
  @Tag("loop-scheduled-engine")
  void aPropertyChoosesTheOtherEngine() throws Exception {
    assertEquals(List.of("hand-over"), FreshJvm.run(WhichEngine.class, "-Dcouv.engine=hand-over"));
  }

  @Test
  @Tag("hand-over-engine")
  void theSlowerEngineSaysOnceWhichFlagMakesItFast() throws Exception {
    List<String> lines = FreshJvm.run(WhichEngine.class);

    assertEquals(2, lines.size(), lines::toString);
    assertTrue(
        lines.getFirst().contains("--add-opens java.base/java.lang=ALL-UNNAMED"), lines::toString);
    assertEquals("hand-over", lines.getLast());
  }

  static final class WhichEngine {
    public static void main(String[] args) throws Exception {
      Logger logger = Logger.getLogger("dev.couv");
      logger.setUseParentHandlers(false);
      logger.addHandler(
          new StreamHandler(System.out, new SimpleFormatter()) {
            @Override
            public void publish(LogRecord logged) {
              System.out.println(getFormatter().formatMessage(logged));
            }
          });
      Loop.run(() -> {});
      System.out.println(Loop.run(() -> Loop.current().stats().engine()));
    }
  }
}
