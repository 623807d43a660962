// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.host.HostWorld;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Operation;
import dev.couv.loop.StackRoom;
import dev.couv.loop.Turns;
import dev.couv.world.Request;
import dev.couv.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// The one door to suspension. Every await function of every package comes through here; nothing
/// else parks a coroutine.
public final class Suspension {
  private Suspension() {}

  /// Starts the operation and suspends the calling coroutine until it is complete. Returns only
  /// then.
  ///
  /// @throws Error if the coroutine is or gets cancelled; the operation is cancelled with it
  /// @throws Error if somebody resumes the coroutine instead; the operation is cancelled then, too
  /// @throws IllegalStateException if the caller is not a coroutine, or cannot be suspended because
  ///     a native frame or a static initialiser is on its stack
  public static void await(Operation operation) {
    Strand.current(operation).suspending().await(operation);
  }

  /// Suspends the calling coroutine until the request is complete: its answer, or its failure thrown.
  public static <T extends @Nullable Object> T answer(Request<T> request) throws IOException {
    await(request);
    return request.finish();
  }

  /// Takes the turn, if need be when those have had theirs who came before; `purpose` as in [Turns#ask].
  public static void takeTurn(Turns turns, String purpose) {
    Operation turn = turns.ask(purpose);
    if (turn != null) {
      await(turn);
    }
  }

  /// Waits for the source: its value, or its failure thrown.
  public static <T extends @Nullable Object> T await(Selectable<T> source) throws Exception {
    return Strand.current(source).waker().await(source);
  }

  /// The event loop of the calling coroutine, for an await function named `call`, or found on the stack if
  /// that is no string.
  public static EventLoop loop(Object call) {
    return Strand.current(call).scheduler().events();
  }

  /// The event loop of the calling coroutine, or null if the caller is none.
  public static @Nullable EventLoop loopOrNull() {
    Strand current = Strand.currentOrNull();
    return current == null ? null : current.scheduler().events();
  }

  /// The world of the calling coroutine's loop; the host's own if the caller is none.
  public static World world() {
    Strand current = Strand.currentOrNull();
    return current == null ? HostWorld.INSTANCE : current.scheduler().world();
  }

  /// Throws if the calling coroutine is cancelled: for await functions that found their result
  /// without waiting. Counts as an await that was ready, so that a coroutine whose awaits are always
  /// ready lets the others run now and then.
  public static void pass(String call) {
    Strand.current(call).suspending().pass();
  }

  /// The calling coroutine as a holder of things, for a function named `call`.
  public static Holder holder(String call) {
    return Strand.current(call).holder();
  }

  /// Whether the caller is a coroutine.
  public static boolean isInCoroutine() {
    return Strand.currentOrNull() != null;
  }

  /// Whether what came out of the calling coroutine's body is its cancellation: for those who look at it
  /// before the coroutine ends.
  public static boolean isCancellation(Throwable thrown) {
    Strand current = Strand.currentOrNull();
    return current != null && current.regions().isEndOfLife(thrown);
  }

  /// Runs the body in the calling coroutine until `deadline` on the loop's clock: then what it awaits
  /// is cancelled, and every await in it throws.
  ///
  /// @throws Expired when the body has unwound because of that
  public static <T extends @Nullable Object> T within(Duration time, String call, Callable<T> body)
      throws Exception, Expired {
    StackRoom.toOpen();
    Strand current = Strand.current(call);
    return current.regions().within(current.scheduler().events().deadline(time), body);
  }

  /// Runs a blocking call on another thread and waits for it.
  public static <T extends @Nullable Object> T offload(String call, Callable<T> blocking)
      throws Exception {
    return offload(Offload.THREADS, call, blocking);
  }

  /// Runs a call on one of those threads and waits for it: for features whose calls compute, where more threads than processors only cost memory.
  public static <T extends @Nullable Object> T offload(
      ExecutorService threads, String call, Callable<T> computing) throws Exception {
    Offload<T> offload = new Offload<>(loop(call), world().calls(threads), computing);
    await(offload);
    return offload.result();
  }
}
