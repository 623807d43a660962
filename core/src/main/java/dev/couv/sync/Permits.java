// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Awaitable;
import dev.couv.coro.LoopBound;
import dev.couv.coro.Outcome;
import dev.couv.loop.StackRoom;
import dev.couv.loop.WaitQueue;
import dev.couv.strand.Suspension;

/// A number of permits: taken one or several at a time, given back later, by anybody. Whoever cannot
/// have what he wants waits.
///
/// Strictly in the order they came: one who wants many is not overtaken by others who want few.
/// Belongs to its loop.
///
/// ```java
/// try (var permit = permits.hold()) {
///   // at most so many at once
/// }
/// ```
public final class Permits implements LoopBound {
  private final Home home = new Home();
  private final Queue queue = new Queue();
  private int available;

  /// Permits, of which so many are there to begin with.
  ///
  /// @throws IllegalArgumentException if there are less than none
  public Permits(int available) {
    checkCount(available);
    this.available = available;
  }

  /// Waits for one permit, and takes it.
  public void acquire() {
    acquire(1);
  }

  /// Waits until so many are there, and takes them together.
  public void acquire(int count) {
    checkCount(count);
    StackRoom.toOpen();
    home.enter(this, "Permits.acquire");
    Suspension.await(queue.waiting(count));
  }

  /// Waits for one permit, and takes it; closing what it returns gives it back.
  public Hold hold() {
    return hold(1);
  }

  /// Waits until so many are there, and takes them together; closing what it returns gives them back.
  public Hold hold(int count) {
    Hold hold = held(count); // first: what is taken must be held
    acquire(count);
    return hold;
  }

  /// Taking so many as something to select: they are taken only if it wins, and closing what it brings gives
  /// them back.
  public Awaitable<Hold> acquiring(int count) {
    checkCount(count);
    return new Acquisition<>(
        this,
        () -> queue,
        count,
        () -> Outcome.value(held(count)),
        () -> home.enter(this, "Permits.acquiring"),
        count + " permits");
  }

  /// Takes a permit if there is one and nobody waits.
  public boolean tryAcquire() {
    return tryAcquire(1);
  }

  /// Takes so many together, if they are there and nobody waits.
  public boolean tryAcquire(int count) {
    checkCount(count);
    StackRoom.toOpen();
    home.check(this, "Permits.tryAcquire");
    return queue.tryTake(count);
  }

  /// Gives a permit back, or adds one.
  public void release() {
    release(1);
  }

  /// Gives permits back, or adds some.
  ///
  /// @throws IllegalArgumentException if they are less than none, or more than can be counted
  public void release(int count) {
    checkCount(count);
    home.check(this, "Permits.release");
    if (available > Integer.MAX_VALUE - count) {
      throw new IllegalArgumentException("more permits than can be counted: +" + count);
    }
    available += count;
    queue.serve();
  }

  /// How many could be taken now. Those that were handed to somebody are not among them.
  public int available() {
    home.check(this, "Permits.available");
    return available;
  }

  /// How many coroutines wait.
  public int waiting() {
    home.check(this, "Permits.waiting");
    return queue.size();
  }

  /// Whether the caller may use them: it is a coroutine of their loop, or the loop's thread.
  @Override
  public boolean isHere() {
    return home.isHere();
  }

  @Override
  public String toString() {
    return available + " permits";
  }

  private Hold held(int count) {
    return new Hold(count + " permits", () -> release(count));
  }

  private static void checkCount(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("a negative number of permits: " + count);
    }
  }

  private final class Queue extends WaitQueue<Integer> {
    @Override
    protected boolean isReady(Integer want) {
      return want <= available;
    }

    @Override
    protected void take(Integer want) {
      available -= want;
    }

    @Override
    protected void putBack(Integer want) {
      available += want;
    }

    @Override
    protected String describe(Integer want) {
      return want + " permits, of which " + available + " are there";
    }
  }
}
