// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The lock of a channel, and of the like: held for a few field accesses, by whatever thread comes.
///
/// Why it spins: a lock of the JDK hands a coroutine that has to wait to its loop, to be run later.
/// The loop's own thread may by then wait for the same lock, behind that coroutine, and both would
/// wait for ever. Here nobody waits who is not running, and nobody who holds it can be taken off its
/// thread: between [#lock] and [#unlock] there is no suspension, no call of user code, no other lock,
/// no system call.
///
/// Why those who wait are counted: a thread that takes it again and again finds it free more often than one
/// that only looks now and then, and on one processor the system stops it where it most often is, inside.
/// So as soon as somebody has looked in vain for a while, those who come step aside: until he has it, or long
/// enough to see that he has no processor, and then they give him theirs. A thread that waits is overtaken
/// by others that wait as long, and by anybody else once for each time the system lets him run;
/// `bench/lock` shows it.
public final class SpinLock implements AutoCloseable {
  /// After so many looks it is likely that the system has taken whoever holds it off its processor, which
  /// may be off for milliseconds: meanwhile somebody else can use this one. Measured with eight
  /// loops on two busy cores: a storm over channels took 32 s where all span on, and takes 16 s.
  private static final int SPINS = 200;

  private static final VarHandle HELD;
  private static final VarHandle WAITING;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HELD = lookup.findVarHandle(SpinLock.class, "held", boolean.class);
      WAITING = lookup.findVarHandle(SpinLock.class, "waiting", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private volatile boolean held;

  /// How many have looked so often in vain: nobody who comes now goes before them.
  private volatile int waiting;

  public void lock() {
    StackRoom.toTouch(); // also for what follows the unlocking: telling whoever was matched
    if (waiting > 0 || !HELD.compareAndSet(this, false, true)) {
      lockLater();
    }
  }

  public void unlock() {
    HELD.setRelease(this, false);
  }

  /// Takes the lock for a `try` block, whose end gives it back.
  public SpinLock hold() {
    lock();
    return this;
  }

  /// Gives back what [#hold] took.
  @Override
  public void close() {
    unlock();
  }

  /// Whether somebody has waited for it long enough that others step aside.
  boolean isAwaited() {
    return waiting > 0;
  }

  private void lockLater() {
    boolean counted = false;
    for (int looks = 1; ; looks++) {
      boolean isHeld = held;
      if (!isHeld && (counted || waiting == 0)) {
        if (HELD.compareAndSet(this, false, true)) {
          break;
        }
      } else if (looks >= SPINS && !counted) {
        counted = true;
        WAITING.getAndAdd(this, 1);
        rest(!isHeld); // who waits for it would have it by now, if he had a processor
      } else {
        rest(looks > SPINS && looks % SPINS == 0);
      }
    }
    if (counted) {
      WAITING.getAndAdd(this, -1);
    }
  }

  private static void rest(boolean isLong) {
    if (isLong) {
      Processor.pass();
    } else {
      Thread.onSpinWait();
    }
  }
}
