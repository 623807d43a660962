// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.EventLoop;
import dev.couv.strand.Seat;
import dev.couv.strand.Suspension;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Where givers and takers of several loops meet: the smallest source that gives something away.
final class Rendezvous<T> {
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Waiting<T, T>> takers = new ArrayList<>();
  private final List<Waiting<T, Void>> givers = new ArrayList<>();

  /// What was taken by somebody who then left.
  private final List<T> returned = new ArrayList<>();

  private record Waiting<T, R>(Seat<R> seat, T gift, EventLoop loop) {}

  Awaitable<T> taking() {
    return new Taking();
  }

  Awaitable<Void> giving(T gift) {
    return new Giving(gift);
  }

  List<T> returned() {
    lock.lock();
    try {
      return List.copyOf(returned);
    } finally {
      lock.unlock();
    }
  }

  boolean isDeserted() {
    lock.lock();
    try {
      return takers.isEmpty() && givers.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private final class Taking extends TestSource<T> {
    @Override
    protected Outcome<T> poll() {
      lock.lock();
      try {
        for (Iterator<Waiting<T, Void>> i = givers.iterator(); i.hasNext(); ) {
          Waiting<T, Void> giver = i.next();
          if (giver.seat.claim()) {
            i.remove();
            giver.seat.deliver(null, null);
            return Outcome.value(giver.gift);
          }
        }
        return null;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void enlist(Seat<T> seat) {
      add(takers, new Waiting<>(seat, null, Suspension.loop("taking")));
    }

    @Override
    public void withdraw(Seat<T> seat) {
      remove(takers, seat);
    }

    @Override
    protected void surrender(Seat<T> seat, Outcome<T> outcome) {
      lock.lock();
      try {
        returned.add(((Outcome.Value<T>) outcome).value());
      } finally {
        lock.unlock();
      }
    }
  }

  private final class Giving extends TestSource<Void> {
    private final T gift;

    Giving(T gift) {
      this.gift = gift;
    }

    @Override
    protected Outcome<Void> poll() {
      lock.lock();
      try {
        for (Iterator<Waiting<T, T>> i = takers.iterator(); i.hasNext(); ) {
          Waiting<T, T> taker = i.next();
          if (taker.seat.claim()) {
            i.remove();
            taker.seat.deliver(gift, null);
            return Outcome.value(null);
          }
        }
        return null;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void enlist(Seat<Void> seat) {
      add(givers, new Waiting<>(seat, gift, Suspension.loop("giving")));
    }

    @Override
    public void withdraw(Seat<Void> seat) {
      remove(givers, seat);
    }
  }

  private <R> void add(List<Waiting<T, R>> list, Waiting<T, R> waiting) {
    waiting.loop.liveness().waitStarted();
    lock.lock();
    try {
      list.add(waiting);
    } finally {
      lock.unlock();
    }
  }

  /// Also for one that was told: whoever enlisted counts as somebody who waits until here.
  private <R> void remove(List<Waiting<T, R>> list, Seat<R> seat) {
    Suspension.loop("withdraw").liveness().waitEnded();
    lock.lock();
    try {
      list.removeIf(waiting -> waiting.seat == seat);
    } finally {
      lock.unlock();
    }
  }
}
