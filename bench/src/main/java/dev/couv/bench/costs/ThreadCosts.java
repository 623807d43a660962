// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;

/// The JDK's: plain virtual threads, with its own queue and lock.
class ThreadCosts implements Costs {
  @Override
  public final void spawn(int parties, int operations) throws Exception {
    inThread(
        () -> {
          for (int done = 0; done < operations; done += parties) {
            together(parties, () -> {});
          }
        });
  }

  @Override
  public final void pause(int parties, int operations) throws Exception {
    inThread(() -> together(parties, () -> repeat(operations / parties, Thread::yield)));
  }

  @Override
  public void channel(int pairs, int operations) throws Exception {
    int each = operations / pairs;
    inThread(
        () ->
            together(
                pairs,
                () -> {
                  SynchronousQueue<Integer> queue = new SynchronousQueue<>();
                  Thread sender = start(() -> repeat(each, () -> queue.put(1)));
                  repeat(each, queue::take);
                  sender.join();
                }));
  }

  /// Fair, as that of Couv: who waits longest is next.
  @Override
  public final void mutex(int parties, int operations) throws Exception {
    ReentrantLock lock = new ReentrantLock(true);
    inThread(
        () ->
            together(
                parties,
                () ->
                    repeat(
                        operations / parties,
                        () -> {
                          lock.lock();
                          Thread.yield();
                          lock.unlock();
                        })));
  }

  @Override
  public final Sleepers sleepers(int count, int millis) throws Exception {
    CountDownLatch asleep = new CountDownLatch(count);
    Thread all =
        start(
            () ->
                together(
                    count,
                    () -> {
                      asleep.countDown();
                      Thread.sleep(millis);
                    }));
    asleep.await();
    return all::join;
  }

  /// What may fail.
  interface Step {
    void run() throws Exception;
  }

  static void together(int parties, Step body) throws Exception {
    List<Thread> running = new ArrayList<>(parties);
    for (int i = 0; i < parties; i++) {
      running.add(start(body));
    }
    for (Thread each : running) {
      each.join();
    }
  }

  static void inThread(Step body) throws Exception {
    start(body).join();
  }

  static Thread start(Step body) {
    return Thread.startVirtualThread(
        () -> {
          try {
            body.run();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  static void repeat(int times, Step action) throws Exception {
    for (int i = 0; i < times; i++) {
      action.run();
    }
  }
}
