// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Action;
import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.testing.InLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What several who were woken leave behind comes to the next ones in its old order.
@InLoop
class GivenBackOrderTest {
  private final List<Object> log = new ArrayList<>();

  private Action heeding(Action waiting) {
    return () -> {
      try {
        waiting.run();
      } catch (Resumed left) {
        log.add("left");
      }
    };
  }

  @Test
  void valuesOfReceiversThatAreResumedKeepTheirOrder() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    var first = Coroutine.spawn(heeding(() -> log.add(chan.receive())));
    var second = Coroutine.spawn(heeding(() -> log.add(chan.receive())));
    var third = Coroutine.spawn(heeding(() -> log.add(chan.receive())));
    Coroutine.pause();
    chan.send(1);
    chan.send(2);
    chan.send(3);

    second.resume();
    first.resume();
    third.resume();

    assertEquals(List.of("left", "left", "left"), log);
    assertEquals(3, chan.stats().values());
    assertEquals(List.of(1, 2, 3), chan.drain());
  }

  @Test
  void valuesThatAreGivenBackTwiceKeepTheirOrder() throws Exception {
    Chan<Integer> chan = Chan.create(3);
    var one = Coroutine.spawn(heeding(() -> log.add(chan.receive())));
    Coroutine.pause();
    chan.send(1);
    chan.send(2);
    chan.send(3);
    one.resume();
    var both =
        Coroutine.spawn(
            heeding(() -> Await.all(chan.receiving(), chan.receiving(), new Promise<Integer>())));
    Coroutine.pause();

    both.resume();

    assertEquals(List.of(1, 2, 3), chan.drain());
  }

  @Test
  void valuesOfACancelledWaitForAllKeepTheirOrder() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    var all =
        Coroutine.spawn(
            () -> {
              Await.all(chan.receiving(), chan.receiving(), new Promise<Integer>());
            });
    Coroutine.pause();
    chan.send(1);
    chan.send(2);

    all.cancel();
    Coroutine.pause();

    assertEquals(List.of(1, 2), chan.drain());
  }

  @Test
  void eventsOfAQueuedTopicKeepTheirOrder() throws Exception {
    var first = Coroutine.spawn(heeding(() -> log.add(QueuedTopic.await("k"))));
    var second = Coroutine.spawn(heeding(() -> log.add(QueuedTopic.await("k"))));
    Coroutine.pause();
    QueuedTopic.emitOne("k", 1);
    QueuedTopic.emitOne("k", 2);
    QueuedTopic.emitOne("k", 3);

    first.resume();
    second.resume();

    assertEquals(List.of("left", "left"), log);
    assertEquals(1, QueuedTopic.await("k"));
    assertEquals(2, QueuedTopic.await("k"));
    assertEquals(3, QueuedTopic.await("k"));
  }
}
