// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Event;
import dev.couv.loop.EventLoop;
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

  private @Nullable Attempt<List<InetSocketAddress>> attempt;

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
    Attempt<List<InetSocketAddress>> begun =
        new Attempt<>(loop, resolver.addresses(loop, question.sought()), this::ended);
    attempt = begun;
    if (begun.begin()) {
      ended(begun);
    }
  }

  @Override
  protected void onStop() {
    Attempt<List<InetSocketAddress>> left = attempt;
    attempt = null;
    if (left != null) {
      left.leave();
    }
  }

  @Override
  public String toString() {
    return "the addresses of " + question;
  }

  private void ended(Attempt<List<InetSocketAddress>> over) {
    attempt = null;
    List<InetSocketAddress> found = null;
    IOException failure = null;
    try {
      found = question.answer(over.finish());
    } catch (IOException failed) {
      failure = failed;
    }
    if (!loop.isClosed()) { // else whoever waited has been told that
      settleOnLoop(found, failure);
    }
  }
}
