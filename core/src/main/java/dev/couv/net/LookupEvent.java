// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Event;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Slot;
import dev.couv.loop.Waiter;
import dev.couv.world.Request;
import dev.couv.world.Resolver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A lookup as an event: it begins when somebody first awaits it, and its answer stays. If everybody
/// leaves before that, it is revoked, and begins anew with the next await.
final class LookupEvent extends Event<List<InetSocketAddress>> {
  private final EventLoop loop;
  private final Resolver resolver;
  private final Question question;

  private @Nullable Attempt attempt;

  LookupEvent(EventLoop loop, Resolver resolver, Question question) {
    this.loop = loop;
    this.resolver = resolver;
    this.question = question;
  }

  @Override
  protected void onStart() {
    List<InetSocketAddress> known = question.answer();
    if (known != null) {
      settleOnLoop(known, null);
      return;
    }
    Attempt begun = new Attempt();
    attempt = begun;
    begun.begin();
  }

  @Override
  protected void onStop() {
    Attempt left = attempt;
    attempt = null;
    if (left != null) {
      left.leave();
    }
  }

  @Override
  public String toString() {
    return "the addresses of " + question;
  }

  /// One request, which waits for itself: no coroutine's slot is bound to it.
  private final class Attempt implements Waiter {
    private final Slot slot = new Slot(loop);
    private final Request<List<InetSocketAddress>> lookup =
        resolver.addresses(loop, question.sought());

    void begin() {
      if (lookup.start(this)) {
        completed();
      }
    }

    void leave() {
      lookup.cancel();
    }

    @Override
    public Slot slot() {
      return slot;
    }

    @Override
    public void completed() {
      attempt = null;
      try {
        List<InetSocketAddress> found = question.answer(lookup.finish());
        if (!loop.isClosed()) { // else whoever waited has been told that
          settleOnLoop(found, null);
        }
      } catch (IOException failed) {
        if (!loop.isClosed()) {
          settleOnLoop(null, failed);
        }
      } finally {
        slot.settle();
      }
    }
  }
}
