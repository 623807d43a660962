// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import dev.couv.strand.CancelRegion;
import dev.couv.strand.Suspension;
import dev.couv.testing.InLoop;
import dev.couv.testing.LeakCheck;
import dev.couv.time.Time;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A coroutine that is parked in the middle of library code, as by a contended lock, while something happens
/// to its await. `sweep` does the same at every point of every await function; these are the rules.
@ExtendWith(LeakCheck.class)
@Tag("loop-scheduled-engine") // on the other one a coroutine that blocks blocks its loop: nothing
// can happen
@InLoop
class ParkedAwaitTest {
  @Test
  void aCompletionWhileItStartsIsNotLost() throws Exception {
    Parking parking = new Parking(Parking.At.START);
    Coroutine<?> awaiter = Coroutine.spawn(() -> Suspension.await(parking));
    Loop.awaitIdle();

    parking.tell();
    parking.release();
    awaiter.await();

    assertThat(parking.calls).containsExactly("start");
  }

  @Test
  void aCancellationWhileItStartsIsNotLost() throws Exception {
    Parking parking = new Parking(Parking.At.START);
    Coroutine<?> awaiter = Coroutine.spawn(() -> Suspension.await(parking));
    Loop.awaitIdle();

    awaiter.cancel();
    parking.release();
    Loop.awaitIdle();

    assertThat(awaiter.status()).isEqualTo(Status.CANCELLED);
    assertThat(parking.calls).containsExactly("start", "cancel");
  }

  @Test
  void aTimeoutWhileItStartsIsNotLost() throws Exception {
    Parking parking = new Parking(Parking.At.START);
    Coroutine<?> awaiter =
        Coroutine.spawn(() -> Time.timeout(Duration.ofMillis(1), () -> Suspension.await(parking)));
    Loop.awaitIdle();

    Time.sleep(Duration.ofMillis(5));
    parking.release();

    assertThatThrownBy(awaiter::await).isInstanceOf(TimeoutException.class);
    assertThat(parking.calls).containsExactly("start", "cancel");
  }

  @Test
  void aResumeWhileItStartsEndsItsAwait() throws Exception {
    Parking parking = new Parking(Parking.At.START);
    List<Object> values = new ArrayList<>();
    Coroutine<?> awaiter =
        Coroutine.spawn(
            () -> {
              try {
                Suspension.await(parking);
              } catch (Resumed resumed) {
                values.addAll(resumed.values());
              }
              return Coroutine.yield("yielded");
            });
    Loop.awaitIdle();

    Coroutine<?> resumer = Coroutine.spawn(() -> awaiter.resume("value"));
    Loop.awaitIdle();
    assertThat(resumer.status()).isEqualTo(Status.NORMAL);
    parking.release();

    assertThat(resumer.await()).isEqualTo("yielded");
    assertThat(values).containsExactly("value");
    assertThat(parking.calls).containsExactly("start", "cancel");
  }

  @Test
  void aResumeAfterACompletionWhileItStartsGivesBackWhatCame() throws Exception {
    Parking parking = new Parking(Parking.At.START);
    Coroutine<?> awaiter = Coroutine.spawn(() -> Suspension.await(parking));
    Loop.awaitIdle();

    parking.tell();
    Coroutine<?> resumer = Coroutine.spawn(() -> awaiter.resume());
    Loop.awaitIdle();
    parking.release();

    assertThatThrownBy(resumer::await).isInstanceOf(Resumed.class);
    assertThat(parking.calls).containsExactly("start", "surrender");
  }

  @Test
  void severalResumesWhileItStartsComeOneAfterTheOther() throws Exception {
    Parking parking = new Parking(Parking.At.START);
    Coroutine<?> generator =
        Coroutine.spawn(
            () -> {
              try {
                Suspension.await(parking);
              } catch (Resumed first) {
                // It goes on as a generator.
              }
              return List.of(
                  String.valueOf(Coroutine.yield(1)), String.valueOf(Coroutine.yield(2)));
            });
    Loop.awaitIdle();
    List<Coroutine<?>> resumers = new ArrayList<>();
    for (String value : List.of("a", "b", "c")) {
      resumers.add(Coroutine.spawn(() -> generator.resume(value)));
    }
    Loop.awaitIdle();

    parking.release();

    assertThat(resumers.get(0).await()).isEqualTo(1);
    assertThat(resumers.get(1).await()).isEqualTo(2);
    assertThat(resumers.get(2).await()).isEqualTo(List.of("b", "c"));
  }

  @Test
  void whoAsksToResumeOneThatEndsInsteadIsTold() throws Exception {
    Parking parking = new Parking(Parking.At.START);
    Coroutine<?> awaiter =
        Coroutine.spawn(
            () -> {
              try {
                Suspension.await(parking);
              } catch (Resumed first) {
                return;
              }
            });
    Loop.awaitIdle();
    Coroutine<?> first = Coroutine.spawn(() -> awaiter.resume());
    Coroutine<?> second = Coroutine.spawn(() -> awaiter.resume());
    Loop.awaitIdle();

    parking.release();
    first.await();

    assertThatThrownBy(second::await)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has ended");
  }

  @Test
  void aCancellationHappensOnceThoughTheCancellerParks() throws Exception {
    Parking parking = new Parking(Parking.At.CANCEL);
    Coroutine<?> awaiter =
        Coroutine.spawn(() -> Time.timeout(Duration.ofHours(1), () -> Suspension.await(parking)));
    Loop.awaitIdle();
    CancelRegion timeout = awaiter.strand().regions().innermost();

    Coroutine<?> canceller = Coroutine.spawn(() -> awaiter.cancel());
    Loop.awaitIdle();
    assertThat(awaiter.strand().cancel(timeout, "its time is over")).isTrue();
    assertThat(awaiter.cancel("a second time")).isFalse();
    parking.release();
    canceller.await();
    Loop.awaitIdle();

    assertThat(awaiter.status()).isEqualTo(Status.CANCELLED);
    assertThat(parking.calls).containsExactly("start", "cancel");
  }

  @Test
  void aResumeWhileTheCancellerParksIsHonoured() throws Exception {
    Parking parking = new Parking(Parking.At.CANCEL);
    Coroutine<?> awaiter =
        Coroutine.spawn(
            () ->
                Time.timeout(
                    Duration.ofHours(1),
                    () -> {
                      try {
                        Suspension.await(parking);
                      } catch (Resumed resumed) {
                        return resumed.values().getFirst();
                      }
                      return "completed";
                    }));
    Loop.awaitIdle();
    CancelRegion region = awaiter.strand().regions().innermost();

    Coroutine<?> canceller = Coroutine.spawn(() -> awaiter.strand().cancel(region, "early"));
    Loop.awaitIdle();
    Coroutine<?> resumer = Coroutine.spawn(() -> awaiter.resume("value"));
    Loop.awaitIdle();
    parking.release();
    canceller.await();

    assertThat(resumer.await()).isEqualTo("value");
    assertThat(awaiter.await()).isEqualTo("value");
  }

  @Test
  void aCallOnAnotherThreadMayBeOverBeforeItsSubmitterGoesOn() throws Exception {
    Semaphore gate = new Semaphore(0);
    CountDownLatch over = new CountDownLatch(1);
    ExecutorService parking =
        new Executing() {
          @Override
          public void execute(Runnable task) {
            Thread.ofPlatform().start(task);
            gate.acquireUninterruptibly();
          }
        };
    Coroutine<String> caller =
        Coroutine.spawn(
            () ->
                Suspension.offload(
                    parking,
                    "a test",
                    () -> {
                      over.countDown();
                      return "value";
                    }));
    Loop.offload(
        () -> {
          over.await();
          return null;
        });
    for (int turn = 0; turn < 10; turn++) {
      Time.sleep(Duration.ofMillis(1));
    }
    gate.release();

    assertThat(caller.await()).isEqualTo("value");
    assertThat(Loop.current().stats().coroutines()).isEqualTo(1);
  }

  @Test
  void theLoopGoesOnWhileTheChannelOfACancelledCallIsSlowToClose() throws Exception {
    SlowToClose channel = new SlowToClose();
    Coroutine<?> caller =
        Coroutine.spawn(
            () ->
                Loop.offload(
                    () -> {
                      channel.operate();
                      return 0;
                    }));
    while (channel.operating.getCount() > 0) {
      Time.sleep(Duration.ofMillis(1));
    }

    caller.cancel();
    Coroutine.pause();
    assertThat(caller.status()).isEqualTo(Status.CANCELLED);

    // Its channel is still being closed, by neither the loop nor a coroutine of it.
    assertThat(channel.closing.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(channel.isClosed.getCount()).isEqualTo(1);
    channel.mayClose.release();
    // The loop counts right: a call that is under way keeps it.
    assertThat(Loop.offload(() -> "value")).isEqualTo("value");
    channel.isClosed.await();
  }

  @Test
  void anInterruptThatComesLateReachesNothingElse() throws Exception {
    Semaphore gate = new Semaphore(0);
    List<Boolean> interrupted = new ArrayList<>();
    Coroutine<?> blocked =
        Coroutine.spawn(
            () -> {
              try {
                Time.timeout(
                    Duration.ofMillis(1),
                    () -> {
                      gate.acquireUninterruptibly();
                      Coroutine.pause();
                    });
              } catch (TimeoutException expected) {
                interrupted.add(Thread.currentThread().isInterrupted());
              }
            });
    Time.sleep(Duration.ofMillis(10));
    gate.release();
    blocked.await();

    assertThat(interrupted).containsExactly(false);
  }

  /// An operation whose start or cancellation parks whoever calls it.
  private static final class Parking implements Operation {
    enum At {
      START,
      CANCEL
    }

    final List<String> calls = new ArrayList<>();
    private final At at;
    private final Semaphore gate = new Semaphore(0);
    private @Nullable Waiter waiter;

    Parking(At at) {
      this.at = at;
    }

    @Override
    public boolean start(Waiter newWaiter) {
      calls.add("start");
      waiter = newWaiter;
      park(At.START);
      return false;
    }

    @Override
    public void cancel() {
      calls.add("cancel");
      waiter = null;
      park(At.CANCEL);
    }

    @Override
    public void surrender() {
      calls.add("surrender");
    }

    void tell() {
      Waiter told = waiter;
      waiter = null;
      if (told != null) {
        told.completed();
      }
    }

    void release() {
      gate.release();
    }

    private void park(At here) {
      if (here == at) {
        gate.acquireUninterruptibly();
      }
    }

    @Override
    public String toString() {
      return "a lock";
    }
  }

  /// Something that an interrupt closes, which takes as long as a test wants.
  private static final class SlowToClose extends AbstractInterruptibleChannel {
    final CountDownLatch operating = new CountDownLatch(1);
    final CountDownLatch closing = new CountDownLatch(1);
    final Semaphore mayClose = new Semaphore(0);
    final CountDownLatch isClosed = new CountDownLatch(1);

    void operate() throws Exception {
      boolean completed = false;
      begin();
      operating.countDown();
      try {
        while (isClosed.getCount() > 0) {
          try {
            isClosed.await();
          } catch (InterruptedException closed) {
            // It waits for the close.
          }
        }
        completed = true;
      } finally {
        end(completed);
      }
    }

    @Override
    protected void implCloseChannel() {
      closing.countDown();
      mayClose.acquireUninterruptibly();
      isClosed.countDown();
    }
  }

  /// Executes, and nothing else.
  private abstract static class Executing extends AbstractExecutorService {
    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }
}
