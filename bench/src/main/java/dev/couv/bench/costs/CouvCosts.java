// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.sync.Chan;
import dev.couv.sync.Mutex;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/// Couv's: coroutines of one loop.
final class CouvCosts implements Costs {
  @Override
  public void spawn(int parties, int operations) throws Exception {
    Loop.run(
        () -> {
          for (int done = 0; done < operations; done += parties) {
            together(parties, () -> {});
          }
        });
  }

  @Override
  public void pause(int parties, int operations) throws Exception {
    Loop.run(() -> together(parties, () -> repeat(operations / parties, Coroutine::pause)));
  }

  @Override
  public void channel(int pairs, int operations) throws Exception {
    int each = operations / pairs;
    Loop.run(
        () ->
            together(
                pairs,
                () -> {
                  Chan<Integer> channel = Chan.create(0);
                  Coroutine<Void> sender =
                      Coroutine.spawn(() -> repeat(each, () -> channel.send(1)));
                  repeat(each, channel::receive);
                  sender.await();
                }));
  }

  @Override
  public void mutex(int parties, int operations) throws Exception {
    Loop.run(
        () -> {
          Mutex mutex = new Mutex();
          together(
              parties,
              () ->
                  repeat(
                      operations / parties,
                      () -> {
                        mutex.lock();
                        Coroutine.pause();
                        mutex.unlock();
                      }));
        });
  }

  @Override
  public Sleepers sleepers(int count, int millis) throws Exception {
    CountDownLatch asleep = new CountDownLatch(count);
    Duration time = Duration.ofMillis(millis);
    Action sleeper =
        () -> {
          asleep.countDown();
          Time.sleep(time);
        };
    FutureTask<Void> all =
        new FutureTask<>(
            () -> {
              Loop.run(() -> together(count, sleeper));
              return null;
            });
    Thread.ofPlatform().start(all);
    asleep.await();
    return all::get;
  }

  private static void together(int parties, Action body) throws Exception {
    List<Coroutine<Void>> running = new ArrayList<>(parties);
    for (int i = 0; i < parties; i++) {
      running.add(Coroutine.spawn(body));
    }
    for (Coroutine<Void> each : running) {
      each.await();
    }
  }

  private static void repeat(int times, Action action) throws Exception {
    for (int i = 0; i < times; i++) {
      action.run();
    }
  }
}
