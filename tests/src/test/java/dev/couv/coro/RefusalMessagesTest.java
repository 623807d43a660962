// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.Udp;
import dev.couv.net.UdpSocket;
import dev.couv.sync.Mutex;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is told when a call is refused, or something fails that nobody awaits: which call, and what else to do.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class RefusalMessagesTest {
  @TempDir private Path directory;

  private static String refused(Action call) {
    return assertThrows(IllegalStateException.class, call::run).getMessage();
  }

  // ---- outside of a coroutine

  @Test
  void theBlockingTwinIsNamedWhereThereIsOne() throws Exception {
    Path file = directory.resolve("file");
    Fs.writeStringNow(file, "text");

    String message = refused(() -> Fs.readString(file));
    assertContains(message, "Fs.readString can only be called in a coroutine");
    assertContains(message, "Fs.readStringNow");
    assertContains(refused(() -> Fs.removeTree(file)), "Fs.removeTreeNow");
    assertContains(
        refused(() -> Fs.touch(file, Instant.EPOCH, null)),
        "Fs.touch can only be called in a coroutine");
    try (OpenFile open = Fs.openNow(file)) {
      assertContains(refused(() -> open.read(ByteBuffer.allocate(1))), "OpenFile.readNow");
    }
  }

  @Test
  void noTwinIsNamedWhereThereIsNone() {
    String message = refused(() -> Time.sleep(Duration.ofSeconds(1)));

    assertContains(message, "Time.sleep can only be called in a coroutine");
    assertFalse(message.contains("Now"), message);
  }

  @Test
  void whatWaitsForAnObjectIsNamedByItsCall() throws Exception {
    var listener = new AtomicReference<TcpListener>();
    var event = new AtomicReference<Emitter<String>>();
    Loop.run(
        () -> {
          listener.set(Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
          event.set(new Emitter<>());
        });

    assertContains(
        refused(() -> listener.get().serve(_ -> {})),
        "StreamListener.serve can only be called in a coroutine");
    assertContains(
        refused(() -> event.get().await()), "Event.await can only be called in a coroutine");
  }

  // ---- of another loop or thread

  @InLoop
  @Test
  void aForeignThreadIsToldWhichCallWasRefused() throws Exception {
    Coroutine<?> coroutine = Coroutine.current();
    Mutex mutex = new Mutex();
    try (Scope scope = Scope.open();
        UdpSocket socket = Udp.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      assertContains(elsewhere(coroutine::cancel), "Coroutine.cancel: ");
      assertContains(elsewhere(scope::cancel), "Scope.cancel: ");
      assertContains(elsewhere(() -> scope.onEnd(() -> {})), "Scope.onEnd: ");
      assertContains(inAnotherLoop(mutex::tryLock), "Mutex.tryLock: ");
      assertContains(elsewhere(socket::close), "close: ");
    }
  }

  private static String elsewhere(Action call) throws Exception {
    return Loop.offload(() -> refused(call));
  }

  private static String inAnotherLoop(Action call) throws Exception {
    return Loop.offload(() -> Loop.run(() -> refused(call)));
  }

  // ---- failures

  @Test
  void aThrowingEndHandlerIsNoFailureOfTheCoroutine() throws Exception {
    IllegalStateException thrown = new IllegalStateException("on purpose");
    try (CapturedLog log = new CapturedLog()) {
      Loop.run(
          () ->
              Coroutine.spawn(() -> "done")
                  .named("worker")
                  .onEnd(
                      (value, failure) -> {
                        throw thrown;
                      }));

      assertEquals(1, log.messages().size(), log.messages().toString());
      String message = log.messages().getFirst();
      assertContains(message, "end handler of coroutine worker");
      assertFalse(message.contains("failed"), message);
    }
  }

  private static void assertContains(String message, String part) {
    assertTrue(message.contains(part), message);
  }
}
