// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.BusyException;
import dev.couv.loop.TcpHandle.TcpRead;
import dev.couv.uv.OtherCalls;
import dev.couv.uv.UvErrors;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The transitions of an object's handle, by the numbers of `docs/internals/states.md`.
final class ObjectHandleTransitionsTest {
  @RegisterExtension final TestLoop test = new TestLoop();

  private TestWaiter waiter;
  private TestWaiter writer;
  private TcpPair pair;
  private TcpHandle stream;

  @BeforeEach
  void connect() {
    pair = new TcpPair(test);
    stream = pair.far;
    waiter = new TestWaiter(test.loop());
    writer = new TestWaiter(test.loop());
  }

  @Test
  void o11_aReadyObjectStartsItsHandleAndTheWaiterWaits() {
    boolean complete = waiter.await(new TcpRead(stream));

    assertFalse(complete);
    assertEquals(ObjectHandleState.AWAITING, stream.state());
    assertTrue(stream.isStarted());
    assertTrue(stream.awaitedAtStart(), "libuv may ask for a buffer from within the start");
    assertEquals(1, test.stats().waits());
    assertTrue(test.loop().liveness().isAlive());
    assertEquals(2, test.stats().blocks(), "the two streams and nothing else");
  }

  @Test
  void o11_aStartThatLibuvRefusesLeavesTheObjectReady() {
    TcpHandle unconnected = TcpPair.open(test.loop(), "unconnected");
    TcpRead read = new TcpRead(unconnected);

    boolean complete = waiter.await(read);

    assertTrue(complete);
    assertEquals(UvErrors.code("ENOTCONN"), read.refusalCode());
    assertEquals(ObjectHandleState.READY, unconnected.state());
    assertEquals(0, test.stats().waits());
    assertEquals(0, waiter.completions());
  }

  @Test
  void o11_aSecondWaiterIsRefusedBeforeAnythingHappens() {
    waiter.await(new TcpRead(stream));
    int blocks = test.stats().blocks();
    TestWaiter second = new TestWaiter(test.loop());

    BusyException refused =
        assertThrows(BusyException.class, () -> second.await(new TcpRead(stream)));

    assertEquals(
        "far (AWAITING): another coroutine is already awaiting read from far",
        refused.getMessage());
    assertEquals(ObjectHandleState.AWAITING, stream.state());
    assertEquals(1, test.stats().waits());
    assertEquals(blocks, test.stats().blocks());
    write("x");
    test.turnUntil(() -> waiter.completions() == 1);
    assertEquals(0, second.completions());
  }

  @Test
  void c8_theEventTellsTheWaiterAndLeavesTheHandleStarted() {
    TcpRead read = new TcpRead(stream);
    waiter.await(read);

    write("hello");
    test.turnUntil(() -> waiter.completions() > 0);

    assertEquals(1, waiter.completions());
    assertEquals("hello", read.text());
    assertEquals(ObjectHandleState.COMPLETED, stream.state());
    assertTrue(stream.isStarted());
    assertEquals(0, test.stats().waits());
    test.turnUntilQuiet();
    assertFalse(test.loop().liveness().isAlive(), "started, but nobody waits");
  }

  @Test
  void o12_theNextReadOfAnyoneStartsNothing() {
    waiter.await(new TcpRead(stream));
    write("one");
    test.turnUntil(() -> waiter.completions() == 1);
    TestWaiter other = new TestWaiter(test.loop());
    TcpRead second = new TcpRead(stream);

    try (CallCount starts = new CallCount("uv_read_start");
        CallCount stops = new CallCount("uv_read_stop")) {
      boolean complete = other.await(second);

      assertFalse(complete);
      assertEquals(ObjectHandleState.AWAITING, stream.state());
      write("two");
      test.turnUntil(() -> other.completions() == 1);
      assertEquals(List.of(0, 0), List.of(starts.get(), stops.get()));
    }
    assertEquals("two", second.text());
    assertEquals(1, waiter.completions());
  }

  /// The notes stop the handle as soon as the coroutine turns away; here an event does that finds
  /// nobody.
  @Test
  void y3_anEventThatFindsNobodyStopsTheHandleAndTakesNothing() {
    waiter.await(new TcpRead(stream));
    write("one");
    test.turnUntil(() -> waiter.completions() == 1);
    waiter.turnAway();
    assertTrue(stream.isStarted());

    write("two");
    test.turnUntil(() -> stream.state() == ObjectHandleState.READY);

    assertFalse(stream.isStarted());
    TcpRead next = new TcpRead(stream);
    waiter.await(next);
    test.turnUntil(() -> waiter.completions() == 2);
    assertEquals("two", next.text());
  }

  @Test
  void r7_aWaiterThatIsResumedStopsTheHandleAndLeavesTheBytesInTheKernel() {
    TcpRead left = new TcpRead(stream);
    waiter.await(left);

    left.cancel();

    assertEquals(ObjectHandleState.READY, stream.state());
    assertFalse(stream.isStarted());
    assertEquals(0, test.stats().waits());
    write("later");
    test.turnUntilQuiet();
    assertEquals("", left.text());
    TcpRead next = new TcpRead(stream);
    waiter.await(next);
    test.turnUntil(() -> waiter.completions() == 1);
    assertEquals("later", next.text());
  }

  @Test
  void g1_aReadyObjectIsClosed() {
    stream.close();

    assertEquals(ObjectHandleState.CLOSING, stream.state());
    assertFalse(stream.isOpen());
    assertTrue(isClosing(stream));
    assertEquals(1, stream.closings());
    assertEquals(1, test.stats().openHandles(), "the other end");
    assertEquals(1, test.stats().closingHandles());
  }

  @Test
  void g2_closingAnAwaitedObjectTellsTheWaiterAtOnce() {
    TcpRead read = new TcpRead(stream);
    waiter.await(read);

    stream.close();

    assertEquals(1, waiter.completions());
    assertTrue(read.wasClosed());
    assertEquals(ObjectHandleState.CLOSING, stream.state());
    assertEquals(0, test.stats().waits());
    test.turnUntilQuiet();
    assertEquals(1, waiter.completions());
    assertEquals(1, stream.closings());
  }

  @Test
  void g3_anObjectIsClosedWhileItsHandleIsStartedAndNobodyWaits() {
    TcpRead read = new TcpRead(stream);
    waiter.await(read);
    write("hello");
    test.turnUntil(() -> waiter.completions() == 1);

    stream.close();

    assertEquals(ObjectHandleState.CLOSING, stream.state());
    assertEquals(1, waiter.completions());
    assertFalse(read.wasClosed(), "it had ended before");
    assertEquals("hello", read.text());
    test.turnUntilQuiet();
    assertEquals(ObjectHandleState.FREED, stream.state());
  }

  @Test
  void f4_theMemoryIsGivenBackInTheCloseCallback() {
    stream.close();
    assertEquals(2, test.stats().blocks());

    test.turnUntilQuiet();

    assertEquals(ObjectHandleState.FREED, stream.state());
    assertEquals(1, test.stats().blocks());
    assertEquals(0, test.stats().closingHandles());
    assertEquals(List.of("near (READY)"), test.blocks());
  }

  @Test
  void aClosedObjectRefusesEverythingButClose() {
    stream.close();

    stream.close();
    TcpRead closing = new TcpRead(stream);
    assertTrue(waiter.await(closing));
    test.turnUntilQuiet();
    stream.close();
    TcpRead freed = new TcpRead(stream);
    assertTrue(waiter.await(freed));

    assertTrue(closing.isClosed());
    assertTrue(freed.isClosed());
    ClosedChannelException refused =
        assertThrows(ClosedChannelException.class, stream::checkUsable);
    assertEquals("far (FREED) is closed", refused.getMessage());
    assertEquals(1, stream.closings());
    assertEquals(0, test.stats().waits());
  }

  @Test
  void whatASurrenderedReadBroughtGoesToTheNext() {
    TcpRead first = new TcpRead(stream);
    waiter.await(first);
    write("kept");
    test.turnUntil(() -> waiter.completions() == 1);

    first.surrender();
    TcpRead next = new TcpRead(stream);
    boolean complete = waiter.await(next);

    assertTrue(complete);
    assertEquals("kept", next.text());
    assertEquals(ObjectHandleState.COMPLETED, stream.state());
  }

  @Test
  void aReadThatEndedWithoutAnEventHasNothingToGiveBack() {
    TcpRead read = new TcpRead(stream);
    waiter.await(read);
    stream.close();
    TcpRead refused = new TcpRead(TcpPair.open(test.loop(), "unconnected"));
    waiter.await(refused);

    read.surrender();
    refused.surrender();

    assertEquals(0, read.givenBack());
    assertEquals(0, refused.givenBack());
  }

  @Test
  void theEndOfTheOtherSideReachesTheReader() {
    TcpRead read = new TcpRead(stream);
    waiter.await(read);

    pair.near.close();
    test.turnUntil(() -> waiter.completions() == 1);

    assertEquals(UvErrors.UV_EOF, read.count());
  }

  @Test
  void anObjectIsRefusedToThoseWhoDoNotHaveTheTurn() {
    boolean[] inside = {true};
    EventLoop loop = new EventLoop(System::nanoTime, () -> inside[0]);
    try {
      TcpHandle handle = TcpPair.open(loop, "handle");

      inside[0] = false;

      assertThrows(IllegalStateException.class, handle::close);
      assertThrows(
          IllegalStateException.class, () -> new TestWaiter(loop).await(new TcpRead(handle)));
      assertEquals(ObjectHandleState.READY, handle.state());
    } finally {
      inside[0] = true;
      TestLoop.close(loop);
    }
  }

  private void write(String text) {
    byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    TcpPair.WriteOperation write = new TcpPair.WriteOperation("write", pair.near, bytes);
    int before = writer.completions();
    assertFalse(writer.await(write));
    // Written and acknowledged: on the loopback interface it has arrived.
    test.turnUntil(() -> writer.completions() > before);
    writer.turnAway();
  }

  private static boolean isClosing(TcpHandle handle) {
    return OtherCalls.uv_is_closing(handle.address()) != 0;
  }
}
