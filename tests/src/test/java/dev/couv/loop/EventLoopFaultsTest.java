// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.UvException;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the system or libuv refuses leaves everything as it was. Refusals of a single operation are
/// with its transitions.
final class EventLoopFaultsTest {
  private static final MethodHandle NO_MEMORY =
      MethodHandles.dropArguments(
          MethodHandles.constant(long.class, 0L), 0, long.class, long.class);

  @RegisterExtension final TestLoop test = new TestLoop();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uv_loop_init",
        "uv_timer_init",
        "uv_async_init",
        "epoll_create1",
        "eventfd",
        "epoll_ctl"
      })
  void aLoopThatLibuvDoesNotLetOpenLeavesNothingBehind(String call) {
    long bytes = NativeMemory.allocatedBytes();
    List<EventLoop> loops = Census.loops();

    UncheckedIOException thrown;
    try (var _ = NativeCalls.replace(call, NativeCalls.failing(call, UvErrors.UV_EMFILE))) {
      thrown = assertThrows(UncheckedIOException.class, TestLoop::open);
    }

    UvException cause = assertInstanceOf(UvException.class, thrown.getCause());
    assertEquals("EMFILE", cause.code());
    assertEquals(call, cause.call());
    assertEquals(bytes, NativeMemory.allocatedBytes());
    assertEquals(loops, Census.loops());
    TestLoop.close(TestLoop.open());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aLoopThatFindsNoMemoryLeavesNothingBehind(int allocation) {
    long bytes = NativeMemory.allocatedBytes();
    List<EventLoop> loops = Census.loops();

    try (var _ = NativeCalls.replace("calloc", withoutMemory(allocation))) {
      assertThrows(OutOfMemoryError.class, TestLoop::open);
    }

    assertEquals(bytes, NativeMemory.allocatedBytes());
    assertEquals(loops, Census.loops());
  }

  @Test
  void anOperationThatFindsNoMemoryLeavesTheSlotUsable() {
    TestWaiter waiter = new TestWaiter(test.loop());
    RandomOperation large = new RandomOperation("large", 5000);
    RandomRequest source = new RandomRequest(test.loop());

    try (var _ = NativeCalls.replace("calloc", NO_MEMORY)) {
      assertThrows(OutOfMemoryError.class, () -> waiter.await(large));
      assertThrows(OutOfMemoryError.class, () -> waiter.await(new TimerOperation("timer", 1)));
      assertThrows(OutOfMemoryError.class, () -> waiter.await(source));
      assertThrows(OutOfMemoryError.class, () -> TcpPair.open(test.loop(), "stream"));
      assertThrows(OutOfMemoryError.class, () -> test.loop().scratch().buffer());
    }

    assertEquals(List.of(), test.blocks());
    assertFalse(test.loop().liveness().isAlive());
    assertFalse(waiter.await(large));
    test.turnUntilQuiet();
    assertFalse(waiter.await(source));
    test.turnUntilQuiet();
    assertEquals(2, waiter.completions());
    test.loop().scratch().buffer();
  }

  /// As the setup of an operation may, if its arguments change under it.
  @Test
  void aRequestWhoseSetupThrowsLeavesTheSlotUsable() {
    TestWaiter waiter = new TestWaiter(test.loop());
    MethodHandle throwing =
        MethodHandles.dropArguments(
            MethodHandles.throwException(int.class, AssertionError.class)
                .bindTo(new AssertionError("setup")),
            0,
            NativeCalls.type("uv_random").parameterList());
    RandomRequest source = new RandomRequest(test.loop());

    try (var _ = NativeCalls.replace("uv_random", throwing)) {
      assertThrows(AssertionError.class, () -> waiter.await(new RandomOperation("random")));
      assertThrows(AssertionError.class, () -> waiter.await(source));
    }

    assertFalse(test.loop().liveness().isAlive());
    assertFalse(waiter.await(new RandomOperation("next")));
    test.turnUntilQuiet();
    assertFalse(waiter.await(source));
    test.turnUntilQuiet();
    assertEquals(2, waiter.completions());
    waiter.turnAway();
    assertEquals(List.of(), test.blocks());
  }

  @Test
  void anObjectThatLibuvDoesNotLetOpenIsFreedAtOnce() {
    TcpHandle handle = new TcpHandle(test.loop(), "handle");
    int code;

    try (var _ = failing("uv_tcp_init", UvErrors.UV_ENOMEM)) {
      code = handle.init();
    }

    assertEquals(UvErrors.UV_ENOMEM, code);
    assertEquals(ObjectHandleState.FREED, handle.state());
    assertFalse(handle.isOpen());
    assertEquals(List.of(), test.blocks());
    assertEquals(0, test.stats().openHandles());
    handle.close();
    assertEquals(0, test.stats().closingHandles());
  }

  @Test
  void aRequestThatCannotBeRevokedAnyMoreEndsByItself() {
    TestWaiter waiter = new TestWaiter(test.loop());
    RandomOperation random = new RandomOperation("random");
    waiter.await(random);

    try (var _ = failing("uv_cancel", UvErrors.code("EBUSY"))) {
      random.cancel();
    }

    assertEquals(List.of("random (CANCELED)"), test.blocks());
    test.turnUntilQuiet();
    assertEquals(List.of("late"), random.history());
    assertEquals(List.of(), test.blocks());
  }

  @Test
  void anAlarmThatCannotBeSetIsNotTakenForSet() {
    EventLoop loop = TestLoop.openWithoutEpoll();
    Entry entry = new Entry();
    loop.timers().add(entry, loop.clock() + 1_000_000);

    try (var _ = failing("uv_timer_start", UvErrors.UV_EINVAL)) {
      AssertionError thrown = assertThrows(AssertionError.class, () -> loop.poll(true, true));
      assertTrue(thrown.getMessage().contains("uv_timer_start"), thrown::getMessage);
    }

    new TestLoop(loop).turnUntil(() -> entry.wasDue);
    TestLoop.close(loop);
  }

  @Test
  void whateverFailsToCloseKeepsNothingElseOpen() {
    EventLoop loop = TestLoop.open();
    TcpHandle before = opened(loop);
    TcpHandle first = opened(loop);
    TcpHandle second = opened(loop);
    TcpHandle after = opened(loop);
    Error planted = new StackOverflowError("planted");
    IllegalStateException another = new IllegalStateException("another");
    RuntimeException orphaned = new RuntimeException("orphan");
    first.failClosing(() -> throwing(planted));
    second.failClosing(() -> throwing(another));
    Entry sooner = new Entry();
    Entry failing = new Entry(new IllegalStateException("a deadline"));
    Entry later = new Entry();
    List.of(sooner, failing, later).forEach(entry -> loop.timers().add(entry, 100));
    List<Runnable> orphans = new ArrayList<>();
    loop.post(() -> {});
    loop.post(() -> {});

    Error thrown =
        assertThrows(
            Error.class,
            () ->
                loop.close(
                    task -> {
                      orphans.add(task);
                      throw orphaned;
                    }));

    assertSame(planted, thrown);
    assertEquals(
        List.of(another, failing.failure, orphaned, orphaned), List.of(thrown.getSuppressed()));
    for (TcpHandle handle : List.of(before, first, second, after)) {
      assertEquals(ObjectHandleState.FREED, handle.state());
    }
    assertEquals(List.of(1, 1, 1), Stream.of(sooner, failing, later).map(e -> e.ends).toList());
    assertEquals(2, orphans.size());
  }

  private static TcpHandle opened(EventLoop loop) {
    TcpHandle handle = new TcpHandle(loop, "handle");
    assertEquals(0, handle.init());
    return handle;
  }

  private static void throwing(Error error) {
    throw error;
  }

  private static void throwing(RuntimeException error) {
    throw error;
  }

  private static NativeCalls.Replacement failing(String call, int code) {
    return NativeCalls.replace(call, NativeCalls.failing(call, code));
  }

  /// The nth allocation fails.
  private static MethodHandle withoutMemory(int nth) {
    int[] calls = {0};
    MethodHandle isNth = bound(() -> ++calls[0] == nth);
    return MethodHandles.guardWithTest(isNth, NO_MEMORY, NativeCalls.target("calloc"));
  }

  private static MethodHandle bound(BooleanSupplier condition) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(BooleanSupplier.class, "getAsBoolean", MethodType.methodType(boolean.class))
          .bindTo(condition);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Entry extends TimerEntry {
    final RuntimeException failure;
    boolean wasDue;
    int ends;

    Entry() {
      this(null);
    }

    Entry(RuntimeException failure) {
      this.failure = failure;
    }

    @Override
    protected void due() {
      wasDue = true;
    }

    @Override
    protected void loopEnds() {
      ends++;
      if (failure != null) {
        throw failure;
      }
    }
  }
}
