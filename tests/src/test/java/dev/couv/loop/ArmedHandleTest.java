// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static dev.couv.Utf8.bytes;
import static dev.couv.Utf8.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpPair;
import dev.couv.net.TcpStream;
import dev.couv.strand.Suspension;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Handles that stay armed between two awaits, under real coroutines.
final class ArmedHandleTest {
  @Test
  void aTurnForTheOthersDoesNotDisarmACoroutinesHandle() throws Exception {
    try (CallCount opened = new CallCount("uv_idle_init")) {
      Loop.run(
          () -> {
            // More than are served without a turn for the others.
            for (int i = 0; i < 200; i++) {
              Suspension.await(new IdleOperation("idle"));
              for (int turns = 0; turns < i; turns++) {
                Coroutine.pause();
              }
            }
          });

      assertEquals(1, opened.get());
    }
  }

  @Test
  void anotherAwaitDisarmsACoroutinesHandle() throws Exception {
    try (CallCount opened = new CallCount("uv_idle_init")) {
      Loop.run(
          () -> {
            for (int i = 0; i < 10; i++) {
              Suspension.await(new IdleOperation("idle"));
              Suspension.await(new RandomOperation("random"));
            }
          });

      assertEquals(10, opened.get());
    }
  }

  @InLoop
  @Test
  void aStreamThatIsReadAgainAndAgainIsStartedOnce() throws Exception {
    try (CallCount changes = new CallCount("epoll_ctl")) {
      try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
          TcpStream near = Tcp.connect(listener.local());
          TcpStream far = listener.accept()) {
        int before = changes.get();
        for (int i = 0; i < 100; i++) {
          near.write(bytes("ping"));
          assertEquals("ping", text(far.read()));
          far.write(bytes("pong"));
          assertEquals("pong", text(near.read()));
        }

        assertEquals(2, changes.get() - before, "one for each end");
      }
    }
  }

  @InLoop
  @Test
  void aStreamThatNobodyReadsLeavesItsBytesInTheKernelAndIsAskedForLater() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        TcpStream near = Tcp.connect(listener.local());
        TcpStream far = listener.accept();
        CallCount changes = new CallCount("epoll_ctl");
        CallCount reads = new CallCount("recv")) {
      near.write(bytes("one"));
      assertEquals("one", text(far.read()));
      int changesBefore = changes.get();
      int readsBefore = reads.get();

      near.write(bytes("two"));
      Time.sleep(Duration.ofMillis(20));

      assertEquals(changesBefore, changes.get());
      assertEquals(readsBefore, reads.get());
      assertEquals("two", text(far.read()));
      assertEquals(changesBefore + 1, changes.get());
      assertTrue(far.isOpen());
    }
  }
}
