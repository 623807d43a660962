// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.strand.Scheduler;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How coroutines look to the JVM's own tools, and what those tools tell of the loop's thread.
class ObservabilityTest {
  private final List<Object> log = new ArrayList<>();

  // ---- names

  @InLoop
  @Test
  void theThreadHasTheCoroutinesName() throws Exception {
    Coroutine<String> before =
        Coroutine.<String>spawn(() -> Thread.currentThread().getName()).named("before");
    assertEquals("before", before.await());

    Coroutine<?> renamed =
        Coroutine.spawn(
            () -> {
              Coroutine.pause();
              log.add(Thread.currentThread().getName());
            });
    Coroutine.pause();
    renamed.named("renamed").await();
    assertEquals(List.of("renamed"), log);

    Coroutine<String> unnamed = Coroutine.spawn(() -> Thread.currentThread().getName());
    assertEquals(unnamed.name(), unnamed.await());
    assertTrue(unnamed.name().startsWith("coroutine-"), unnamed.name());
  }

  @InLoop
  @Test
  void stackTracesAreTheUsersAndShort() throws Exception {
    Coroutine<StackTraceElement[]> traced =
        Coroutine.spawn(
            () -> {
              Time.sleep(Duration.ofMillis(1));
              return new Throwable().getStackTrace();
            });

    StackTraceElement[] trace = traced.await();

    assertEquals(ObservabilityTest.class.getName(), trace[0].getClassName());
    assertTrue(trace.length < 12, () -> trace.length + " frames");
  }

  // ---- thread dumps

  @Test
  void theThreadDumpShowsNamesAndWhatIsAwaited(@TempDir Path directory) throws Exception {
    Path text = directory.resolve("dump.txt");
    Path json = directory.resolve("dump.json");
    Loop.run(
        () -> {
          try (TcpListener listener =
              Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Coroutine<?> acceptor =
                Coroutine.spawn(() -> listener.accept().close()).named("the acceptor");
            Coroutine<?> sleeper =
                Coroutine.spawn(() -> Time.sleep(Duration.ofHours(1))).named("the sleeper");
            Coroutine.pause();

            HotSpotDiagnosticMXBean diagnostics =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            diagnostics.dumpThreads(text.toString(), ThreadDumpFormat.TEXT_PLAIN);
            diagnostics.dumpThreads(json.toString(), ThreadDumpFormat.JSON);
            acceptor.cancel();
            sleeper.cancel();
          }
        });

    String accepting = section(Files.readString(text), "the acceptor");
    assertTrue(accepting.contains("virtual"), accepting);
    assertTrue(accepting.contains("TcpListener.accept"), accepting);
    assertTrue(accepting.contains("ObservabilityTest"), accepting);
    String sleeping = section(Files.readString(text), "the sleeper");
    assertTrue(sleeping.contains("dev.couv.time.Time.sleep"), sleeping);

    String threads = Files.readString(json);
    assertTrue(threads.contains("\"name\": \"the acceptor\""), "the JSON has the name");
    assertTrue(threads.contains("AcceptOperation"), "and the class of what is awaited");
    assertTrue(threads.contains("SleepOperation"), "and the class of what is awaited");
  }

  private static String section(String dump, String name) {
    int from = dump.indexOf('"' + name + '"');
    assertTrue(from >= 0, () -> name + " is missing in " + dump);
    int to = dump.indexOf("\n\n", from);
    return dump.substring(from, to < 0 ? dump.length() : to);
  }

  @InLoop
  @Test
  void theBlockerOfASuspendedThreadSaysWhatItAwaits() throws Exception {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    Coroutine<?> sleeper =
        Coroutine.spawn(
            () -> {
              thread.complete(Thread.currentThread());
              Time.sleep(Duration.ofHours(1));
            });
    Coroutine.pause();

    Object blocker = LockSupport.getBlocker(thread.join());

    assertTrue(String.valueOf(blocker).startsWith("Time.sleep until"), () -> "" + blocker);
    sleeper.cancel();
  }

  // ---- the flight recorder

  @Test
  void aRepresentativeProgramIsNeverPinned(@TempDir Path directory) throws Exception {
    List<RecordedEvent> pinned =
        pinnedDuring(directory, () -> Loop.run(ObservabilityTest::doABitOfEverything));

    assertEquals(List.of(), pinned);
  }

  /// That the recording would have shown it.
  @Test
  @Tag("loop-scheduled-engine")
  void aCoroutineThatBlocksInAStaticInitialiserIs(@TempDir Path directory) throws Exception {
    List<RecordedEvent> pinned =
        pinnedDuring(directory, () -> Loop.run(() -> log.add(Blocking.LATE)));

    assertFalse(pinned.isEmpty());
  }

  private static final class Blocking {
    static final Object LATE;

    static {
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      LATE = "late";
    }
  }

  private static List<RecordedEvent> pinnedDuring(Path directory, Action program) throws Exception {
    Path file = directory.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold();
      recording.enable("jdk.VirtualThreadSubmitFailed");
      recording.start();
      program.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file);
  }

  // ---- the loop's thread

  /// Among all this it never waits for a monitor, nor parks for a lock: it waits in libuv only.
  @Test
  @Tag("loop-scheduled-engine")
  void theLoopsThreadNeverWaitsForALock() throws Exception {
    ThreadInfo before = info();
    for (int i = 0; i < 5; i++) {
      Loop.run(ObservabilityTest::doABitOfEverything); // classes are loaded and initialised
    }
    ThreadInfo warm = info();
    Loop.run(ObservabilityTest::doABitOfEverything);
    ThreadInfo after = info();

    assertEquals(0, after.getBlockedCount() - warm.getBlockedCount(), before::toString);
    assertEquals(0, after.getWaitedCount() - warm.getWaitedCount(), before::toString);
  }

  private static ThreadInfo info() {
    return ManagementFactory.getThreadMXBean().getThreadInfo(Thread.currentThread().threadId());
  }

  /// Coroutines, timers, sockets, posts from four threads, locks shared with them, blocking calls.
  private static void doABitOfEverything() throws Exception {
    Loop loop = Loop.current();
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch posted = new CountDownLatch(400);
    for (int t = 0; t < 4; t++) {
      Coroutine.spawn(
          () ->
              Loop.offload(
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      lock.lock();
                      try {
                        loop.post(posted::countDown);
                      } finally {
                        lock.unlock();
                      }
                    }
                    return null;
                  }));
    }
    for (int i = 0; i < 20; i++) {
      Coroutine.spawn(
          () -> {
            for (int turn = 0; turn < 10; turn++) {
              Time.sleep(Duration.ofNanos(200_000));
              Coroutine.pause();
              if (Scheduler.engineKind().equals("loop-scheduled")) {
                lock.lock(); // the other engine would stop here while another thread has it
                lock.unlock();
              }
            }
          });
    }
    echo();
    Loop.offload(
        () -> {
          posted.await();
          return null;
        });
  }

  private static void echo() throws IOException {
    try (TcpListener listener =
            Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        TcpStream client = Tcp.connect(listener.local());
        TcpStream server = listener.accept()) {
      Coroutine.spawn(
          () -> {
            ByteBuffer buffer = ByteBuffer.allocate(16);
            while (server.read(buffer.clear()) > 0) {
              server.write(buffer.flip());
            }
            server.shutdown();
          });
      ByteBuffer buffer = ByteBuffer.allocateDirect(16);
      for (int i = 0; i < 100; i++) {
        client.write(buffer.clear());
        client.readFully(buffer.clear());
      }
      client.shutdown();
      while (client.read(buffer.clear()) >= 0) {}
    }
  }
}
