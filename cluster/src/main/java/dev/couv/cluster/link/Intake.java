// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import io.nats.client.Message;
import io.nats.client.Subscription;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Takes messages out of the client, in the loop. They wait there, counted for their subscription,
/// until the loop comes for them: one post for all that one read of the socket has brought, and no
/// thread between the one that reads and the loop's.
///
/// Messages of one subscription are told in their order.
final class Intake {
  /// After so many the loop's other coroutines have a turn.
  private static final int BATCH = 256;

  private final Loop loop;
  private final AtomicBoolean posted = new AtomicBoolean();
  private volatile boolean over;

  // Of the loop.

  /// The youngest first. The inbox is the oldest, and looked at last: when an echo has come back, what came before it has
  /// been told. Replaced, never changed: some come and go while others are told.
  private List<Ear> ears = List.of();

  private boolean taking;

  /// Others were posted while this gave way.
  private boolean again;

  private int told;

  /// Somebody who listens.
  static final class Ear {
    private final Subscription subscription;
    private final Consumer<Packet> receiver;
    private boolean removed;

    private Ear(Subscription subscription, Consumer<Packet> receiver) {
      this.subscription = subscription;
      this.receiver = receiver;
    }

    /// Does not wait. Null if there is none, or it listens no more.
    private @Nullable Message next() {
      try {
        return removed || !subscription.isActive() ? null : subscription.nextMessage(null);
      } catch (IllegalStateException ended) {
        return null;
      } catch (InterruptedException never) {
        throw new AssertionError("it does not wait", never);
      }
    }
  }

  Intake(Loop loop) {
    this.loop = loop;
  }

  /// In the loop. Whatever came for it before is taken as well.
  Ear add(Subscription subscription, Consumer<Packet> receiver) {
    Ear ear = new Ear(subscription, receiver);
    List<Ear> more = new ArrayList<>(ears);
    more.addFirst(ear);
    ears = more;
    dealtOut();
    return ear;
  }

  /// In the loop. What it has not taken is not told any more.
  void remove(Ear ear) {
    ear.removed = true;
    List<Ear> fewer = new ArrayList<>(ears);
    fewer.remove(ear);
    ears = fewer;
  }

  /// Any thread: there may be messages.
  void dealtOut() {
    if (!over && !posted.getAndSet(true)) {
      try {
        loop.post(this::take);
      } catch (IllegalStateException closed) {
        over = true; // the loop is: nobody is left to be told
      }
    }
  }

  /// In a coroutine of the loop, one at a time: whoever comes while it gives way must not overtake
  /// it.
  private void take() {
    posted.set(false); // first, then looked: what comes from now on is posted
    if (taking) {
      again = true;
      return;
    }
    taking = true;
    try {
      do {
        again = false;
        for (Ear ear : ears) {
          empty(ear);
        }
      } while (again && !over);
    } finally {
      taking = false;
    }
  }

  private void empty(Ear ear) {
    for (Message next; !over && (next = ear.next()) != null; ) {
      try {
        ear.receiver.accept(NatsLink.packet(next));
      } catch (RuntimeException wrong) {
        NatsErrors.LOG.log(Level.ERROR, "a message could not be dealt with", wrong);
      }
      if (++told % BATCH == 0) {
        Coroutine.pause();
      }
    }
  }

  /// Nothing is told any more. Any thread.
  void close() {
    over = true;
  }
}
