// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.error.BrokenException;
import dev.couv.loop.WaitQueue;
import dev.couv.loop.Wording;
import dev.couv.strand.Holder;
import dev.couv.strand.Holding;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Who owns a mutex, and who waits for it.
final class Lock extends WaitQueue<Holder> implements Holding {
  private final @Nullable Object key;

  /// Where it is found by its key while it is locked.
  private final @Nullable Map<Object, Lock> locked;

  private @Nullable Holder owner;
  private boolean broken;

  Lock(@Nullable Object key, @Nullable Map<Object, Lock> locked) {
    this.key = key;
    this.locked = locked;
  }

  @Nullable Holder owner() {
    return owner;
  }

  void checkNotNested(Holder caller) {
    if (owner == caller && !broken) {
      throw new IllegalStateException("nested lock: " + caller + " owns " + this + " already");
    }
  }

  /// After it was served: a broken one serves everybody, with nothing.
  void checkOwned(Holder caller) {
    if (owner != caller || broken) {
      throw new BrokenException(
          this + " is broken: its owner " + owner + " ended without having unlocked it");
    }
  }

  /// True if it is the oldest waiter's now.
  boolean unlock(Holder caller, Object subject) {
    if (owner != caller) {
      throw new IllegalStateException(
          "not the owner: "
              + (owner == null ? subject + " is not locked" : subject + " is locked by " + owner));
    }
    returned(caller);
    return owner != null;
  }

  /// False if it is not broken.
  boolean repair() {
    if (!broken) {
      return false;
    }
    broken = false;
    owner = null;
    serve();
    return true;
  }

  @Override
  protected boolean isReady(Holder want) {
    return owner == null || broken;
  }

  @Override
  protected void take(Holder want) {
    if (broken) {
      return;
    }
    owner = want;
    want.takes(this);
    if (locked != null && key != null) {
      locked.put(key, this);
    }
  }

  @Override
  protected void putBack(Holder want) {
    if (owner == want && !broken) {
      owner = null;
      want.gives(this);
    }
  }

  @Override
  protected void settled() {
    if (owner == null && locked != null && key != null) {
      locked.remove(key, this); // by now it may have another
    }
  }

  @Override
  public void holderEnded() {
    broken = true;
    serve();
  }

  @Override
  protected String describe(Holder want) {
    return this + ", locked by " + owner;
  }

  @Override
  public String toString() {
    return key == null ? "a mutex" : "the mutex of " + Wording.of(key);
  }
}
