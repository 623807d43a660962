// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Awaitable;
import dev.couv.coro.LoopBound;
import dev.couv.coro.Outcome;
import dev.couv.error.BrokenException;
import dev.couv.loop.StackRoom;
import dev.couv.loop.Wording;
import dev.couv.strand.Holder;
import dev.couv.strand.LoopLocal;
import dev.couv.strand.Suspension;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A lock that a coroutine owns across its awaits. Coroutines of a loop need it only for that: between
/// two awaits nobody else runs anyway.
///
/// It is handed to those who wait in the order they came, and not reentrant. If its owner ends
/// without having unlocked it, what it protected may be half done: it is broken, and whoever waits or
/// comes later gets a `BrokenException` that names the owner, until it is [repaired][#repair]. Belongs to
/// its loop.
///
/// ```java
/// try (var held = mutex.hold()) {
///   // nobody else is here, whatever this awaits
/// }
/// ```
public final class Mutex implements LoopBound {
  /// The locks of keys, while they are locked.
  private static final LoopLocal<Map<Object, Lock>> KEYED = new LoopLocal<>(HashMap::new);

  private final Home home = new Home();
  private final @Nullable Object key;
  private final @Nullable Lock own;

  /// One that is free.
  public Mutex() {
    key = null;
    own = new Lock(null, null);
  }

  private Mutex(Object key) {
    this.key = key;
    own = null;
  }

  /// The mutex of that key in the calling coroutine's loop: the same for keys that are equal. Nothing
  /// is kept for a key that is not locked; one that is broken stays so until it is [repaired][#repair], or
  /// the loop ends.
  public static Mutex of(Object key) {
    Objects.requireNonNull(key, "Mutex.of: key");
    Suspension.loop("Mutex.of");
    return new Mutex(key);
  }

  /// Waits until it is free, and locks it.
  ///
  /// @throws IllegalStateException if the caller owns it
  /// @throws BrokenException if its owner ended without having unlocked it
  public void lock() {
    StackRoom.toOpen();
    Lock lock = entered("Mutex.lock");
    Holder caller = Suspension.holder("Mutex.lock");
    lock.checkNotNested(caller);
    Suspension.await(lock.waiting(caller));
    lock.checkOwned(caller);
  }

  /// Waits until it is free, and locks it, as [#lock] does; closing what it returns unlocks it.
  public Hold hold() {
    Hold hold = new Hold(toString(), this::unlock); // first: what is locked must be held
    lock();
    return hold;
  }

  /// Locking as something to select, for the calling coroutine: it is locked only if it wins, and closing what
  /// it brings unlocks it.
  public Awaitable<Hold> locking() {
    home.enter(this, "Mutex.locking");
    Holder caller = Suspension.holder("Mutex.locking");
    return new Acquisition<>(
        this,
        () -> lock("Mutex.locking"),
        caller,
        () -> held(caller),
        () -> entered("Mutex.locking").checkNotNested(caller),
        toString());
  }

  private Outcome<Hold> held(Holder caller) {
    try {
      lock("Mutex.locking").checkOwned(caller);
    } catch (BrokenException broken) {
      return Outcome.failure(broken);
    }
    return Outcome.value(new Hold(toString(), this::unlock));
  }

  /// Locks it if it is free.
  ///
  /// @throws IllegalStateException if the caller owns it
  /// @throws BrokenException if its owner ended without having unlocked it
  public boolean tryLock() {
    StackRoom.toOpen();
    Lock lock = entered("Mutex.tryLock");
    Holder caller = Suspension.holder("Mutex.tryLock");
    lock.checkNotNested(caller);
    if (!lock.tryTake(caller)) {
      return false;
    }
    lock.checkOwned(caller);
    return true;
  }

  /// Unlocks it, or rather hands it to who has waited longest: then true, and it is his already.
  ///
  /// @throws IllegalStateException if the caller does not own it
  public boolean unlock() {
    return entered("Mutex.unlock").unlock(Suspension.holder("Mutex.unlock"), this);
  }

  /// Makes a broken one usable again, when what it protects is in order: it is free then. False, and nothing
  /// changes, if it is not broken.
  public boolean repair() {
    return entered("Mutex.repair").repair();
  }

  /// Whether somebody owns it, or did when it was broken.
  public boolean isLocked() {
    return entered("Mutex.isLocked").owner() != null;
  }

  /// Whether the calling coroutine owns it.
  public boolean isOwned() {
    return entered("Mutex.isOwned").owner() == Suspension.holder("Mutex.isOwned");
  }

  /// Whether the caller may use it: it is a coroutine of the mutex's loop, or the loop's thread.
  @Override
  public boolean isHere() {
    return home.isHere();
  }

  @Override
  public String toString() {
    return key == null ? "a mutex" : "the mutex of " + Wording.of(key);
  }

  /// For a coroutine of its loop; throws if the caller is none.
  private Lock entered(String call) {
    home.enter(this, call);
    return lock(call);
  }

  private Lock lock(String call) {
    if (own != null) {
      return own;
    }
    Map<Object, Lock> locked = KEYED.get(call);
    Lock known = locked.get(key);
    return known == null ? new Lock(key, locked) : known;
  }
}
