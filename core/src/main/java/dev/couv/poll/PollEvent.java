// SPDX-License-Identifier: Apache-2.0
package dev.couv.poll;

import dev.couv.coro.Event;
import dev.couv.loop.Failures;
import dev.couv.world.PollHandle;
import dev.couv.world.PollHandle.Watcher;
import java.io.IOException;
import java.util.Set;

/// A descriptor is ready. Happens again and again while it is, for as long as somebody awaits it or has
/// started it: a callback that does not read what there is will be told in every turn of the loop.
///
/// Whatever was wanted, it also happens when the other side is gone (`DISCONNECTED`), and it fails when
/// the descriptor has an error; the system then tells which, on the next call that uses it.
public final class PollEvent extends Event<Set<Readiness>> {
  private final PollHandle shared;
  private final Watcher watcher;

  /// Holds the handle from now on.
  PollEvent(PollHandle shared, int wanted) {
    this.shared = shared;
    this.watcher =
        new Watcher(
            wanted,
            (failure, ready) -> fireOnLoop(failure == null ? Readiness.set(ready) : null, failure));
  }

  /// Waits until the descriptor is ready, and says for what.
  ///
  /// @throws dev.couv.error.ClosedException if the event is closed, also while waiting
  public Set<Readiness> next() throws IOException {
    try {
      return await();
    } catch (Exception e) {
      throw Failures.io(e);
    }
  }

  @Override
  protected void onStart() {
    shared.add(watcher);
  }

  @Override
  protected void onStop() {
    shared.remove(watcher);
  }

  @Override
  protected void onDispose() {
    shared.release();
  }

  @Override
  protected boolean keepsAlive() {
    return true;
  }

  @Override
  public String toString() {
    return shared + " to be " + Readiness.set(watcher.wanted());
  }
}
