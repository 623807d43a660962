// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.loop.NativeLeak;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Each planted leak is found and named, and nothing else is.
final class LeakCheckTest {
  private static final int LEAKED_BYTES = 12_345;

  /// What a planted test left behind, to be put right so that this test ends clean itself.
  private static final Deque<AutoCloseable> LEFT = new ArrayDeque<>();

  @AfterEach
  void putRight() throws Exception {
    while (!LEFT.isEmpty()) {
      LEFT.removeLast().close();
    }
  }

  @Test
  void cleanTestPasses() {
    assertEquals(List.of(), NestedRun.failures(Clean.class, "echoes"));
  }

  @Test
  void jdkSocketsOnVirtualThreadsAreNoLeak() {
    assertEquals(List.of(), NestedRun.failures(Clean.class, "usesTheSocketsOfTheJdk"));
  }

  @Test
  void anArchiveThatWasReplacedIsNoLeak() {
    assertEquals(List.of(), NestedRun.failures(Clean.class, "hasClassesOfAnArchiveThatIsGone"));
  }

  @Test
  void whatTheClassOpenedIsNoLeak() {
    assertEquals(List.of(), NestedRun.failures(Shared.class, "usesTheLoopOfItsClass"));
  }

  @Test
  void openLoopIsFound() {
    String message = leak(Leaking.class, "loop");

    assertContains(message, "an event loop is still open: loop: 0 coroutines");
    assertContains(message, "bytes of native memory");
    assertContains(message, "anon_inode:[eventpoll]");
  }

  @Test
  void openHandleIsFound() {
    String message = leak(Leaking.class, "handle");

    assertContains(message, "an event loop is still open: loop: 0 coroutines, 0 ready, 1 handles");
    assertContains(message, "native block of ");
    assertContains(message, "1 native block in use");
    assertContains(message, "is still open: socket:[");
  }

  @Test
  void openHandleOnALoopThatWasOpenBeforeIsFound() {
    String message = leak(Shared.class, "leavesAListener");

    assertContains(message, "1 native block in use");
    assertContains(message, "native block of ");
    assertContains(message, "is still open: socket:[");
    assertTrue(!message.contains("event loop is still open"), message);
  }

  @Test
  void coroutineThatNeverEndsIsFound() {
    String message = leak(Leaking.class, "coroutine");

    assertContains(message, "1 coroutine not ended");
    assertContains(message, "lost SUSPENDED");
    assertContains(message, "spawned at ");
  }

  @Test
  void coroutineOnALoopThatWasOpenBeforeIsFound() {
    String message = leak(Shared.class, "leavesACoroutine");

    assertContains(message, "1 coroutine not ended");
    assertContains(message, "stray SUSPENDED");
  }

  /// On the other engine a coroutine that blocks in plain Java code blocks its loop.
  @Test
  @Tag("loop-scheduled-engine")
  void coroutineThatOutlivesItsLoopIsFound() throws Exception {
    String message = leak(Leaking.class, "outliving");

    assertContains(message, "1 coroutine not ended");
    assertContains(message, "1 coroutine outlived a closed loop");
    Leaking.release.countDown(); // and this test's own check waits for it to end
  }

  @Test
  void nativeMemoryIsFound() {
    String message = leak(Leaking.class, "nativeMemory");

    assertContains(message, LEAKED_BYTES + " bytes of native memory not freed");
  }

  @Test
  void openFileIsFoundByItsName() {
    String message = leak(Leaking.class, "file");

    assertContains(message, "is still open: ");
    assertContains(message, "couv-leak");
  }

  @Test
  void openSocketIsFound() {
    String message = leak(Leaking.class, "socket");

    assertContains(message, "is still open: socket:[");
  }

  @Test
  void whatAFieldOfTheTestOpensIsFound() {
    String message = leak(LeakingInAField.class, "does");

    assertContains(message, "an event loop is still open");
  }

  @Test
  void messageNamesTheTestAndAllItsLeaks() {
    String message = leak(Leaking.class, "several");

    assertContains(message, "several() leaks:");
    assertContains(message, "is still open: socket:[");
    assertContains(message, LEAKED_BYTES + " bytes of native memory not freed");
  }

  @Test
  void leakIsSuppressedInTheFailureOfTheTest() {
    List<Throwable> failures = NestedRun.failures(Leaking.class, "failsToo");

    assertEquals(1, failures.size());
    assertEquals("its own failure", failures.getFirst().getMessage());
    assertContains(failures.getFirst().getSuppressed()[0].getMessage(), "failsToo() leaks:");
  }

  @Test
  void annotationAloneRegistersTheCheck() {
    Map<String, String> noDetection =
        Map.of("junit.jupiter.extensions.autodetection.enabled", "false");

    List<Throwable> annotated = NestedRun.failures(Annotated.class, "leaks", noDetection);
    List<Throwable> unchecked = NestedRun.failures(Leaking.class, "socket", noDetection);

    assertEquals(1, annotated.size());
    assertContains(annotated.getFirst().getMessage(), "is still open: socket:[");
    assertEquals(List.of(), unchecked);
  }

  /// The message of the one failure.
  private static String leak(Class<?> type, String method) {
    List<Throwable> failures = NestedRun.failures(type, method);
    assertEquals(1, failures.size(), method + " did not fail once: " + failures);
    return failures.getFirst().getMessage();
  }

  private static void assertContains(String text, String part) {
    assertTrue(text.contains(part), () -> "no \"" + part + "\" in:\n" + text);
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static <T extends AutoCloseable> T leave(T left) {
    LEFT.add(left);
    return left;
  }

  // ---- the tests that are run inside

  static final class Clean {
    @InLoop
    @Test
    void echoes() throws Exception {
      try (TcpListener listener = Tcp.listen(anyPort());
          TcpStream client = Tcp.connect(listener.local());
          TcpStream served = listener.accept()) {
        client.write(ByteBuffer.allocate(8));
        served.readFully(ByteBuffer.allocate(8));
      }
    }

    @Test
    void usesTheSocketsOfTheJdk() throws Exception {
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        Thread reader =
            Thread.startVirtualThread(
                () -> {
                  try (Socket peer = server.accept()) {
                    peer.getInputStream().readAllBytes();
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
        try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
          client.getOutputStream().write(1);
        }
        reader.join();
      }
    }

    @Test
    void hasClassesOfAnArchiveThatIsGone() throws Exception {
      Path archive = Files.createTempFile("couv", ".jar");
      LEFT.add(FileChannel.open(archive));
      Files.delete(archive);
    }
  }

  static final class Leaking {
    private static CountDownLatch release = new CountDownLatch(1);

    @Test
    void loop() {
      leave(Loop.open());
    }

    @Test
    void handle() {
      Loop loop = leave(Loop.open());
      loop.spawn(() -> Tcp.listen(anyPort()));
      loop.run(Mode.LOOP);
    }

    @Test
    void coroutine() {
      Loop loop = leave(Loop.open());
      loop.spawn(() -> Coroutine.halt()).named("lost");
      loop.run(Mode.LOOP);
    }

    @Test
    void outliving() {
      release = new CountDownLatch(1);
      try (Loop loop = Loop.open(TestClock.manual().options())) {
        loop.spawn(Leaking::ignoreInterrupts);
        loop.run(Mode.READY);
      }
    }

    private static void ignoreInterrupts() {
      while (release.getCount() > 0) {
        try {
          release.await();
        } catch (InterruptedException ignored) {
          Thread.interrupted();
        }
      }
    }

    @Test
    void nativeMemory() {
      long address = NativeLeak.allocate(LEAKED_BYTES);
      leave(() -> NativeLeak.free(address, LEAKED_BYTES));
    }

    @Test
    void file() throws IOException {
      Path file = Files.createTempFile("couv-leak", ".txt");
      leave(() -> Files.delete(file));
      leave(FileChannel.open(file));
    }

    @Test
    void socket() throws IOException {
      leave(DatagramChannel.open());
    }

    @Test
    void several() throws IOException {
      socket();
      nativeMemory();
    }

    @Test
    void failsToo() throws IOException {
      socket();
      fail("its own failure");
    }
  }

  static final class LeakingInAField {
    private final Loop loop = leave(Loop.open());

    @Test
    void does() {
      assertTrue(!loop.isRunning());
    }
  }

  static final class Shared {
    private static Loop loop;

    @BeforeAll
    static void open() {
      loop = Loop.open();
    }

    @AfterAll
    static void close() {
      loop.close();
    }

    @Test
    void usesTheLoopOfItsClass() {
      loop.spawn(() -> Tcp.listen(anyPort()).close());
      loop.run(Mode.LOOP);
    }

    @Test
    void leavesAListener() {
      loop.spawn(() -> Tcp.listen(anyPort()));
      loop.run(Mode.LOOP);
    }

    @Test
    void leavesACoroutine() {
      loop.spawn(() -> Coroutine.halt()).named("stray");
      loop.run(Mode.LOOP);
    }
  }

  @ExtendWith(LeakCheck.class)
  static final class Annotated {
    @Test
    void leaks() throws IOException {
      leave(DatagramChannel.open());
    }
  }
}
