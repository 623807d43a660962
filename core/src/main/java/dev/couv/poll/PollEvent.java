// SPDX-License-Identifier: Apache-2.0
package dev.couv.poll;

import dev.couv.coro.Event;
import dev.couv.loop.EventLoop;
import java.io.IOException;
import java.util.Set;

/// A descriptor is ready. Happens again and again while it is, for as long as somebody awaits it or has
/// started it: a callback that does not read what there is will be told in every turn of the loop.
///
/// Whatever was wanted, it also happens when the other side is gone (`DISCONNECTED`), and it fails when
/// the descriptor has an error; the system then tells which, on the next call that uses it.
public final class PollEvent extends Event<Set<Readiness>> {
  private final SharedPoll shared;
  private final int wanted;

  private PollEvent(SharedPoll shared, int wanted) {
    this.shared = shared;
    this.wanted = wanted;
  }

  static PollEvent open(EventLoop loop, int descriptor, int wanted) throws IOException {
    SharedPoll shared = SharedPoll.hold(loop, descriptor);
    return new PollEvent(shared, wanted);
  }

  int wanted() {
    return wanted;
  }

  void ready(int mask) {
    fireOnLoop(Readiness.set(mask), null);
  }

  void failed(IOException failure) {
    fireOnLoop(null, failure);
  }

  @Override
  protected void onStart() {
    IOException refused = shared.add(this);
    if (refused != null) {
      failed(refused);
    }
  }

  @Override
  protected void onStop() {
    shared.remove(this);
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
    return shared + " to be " + Readiness.set(wanted);
  }
}
