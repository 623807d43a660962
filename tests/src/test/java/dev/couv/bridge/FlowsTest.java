// SPDX-License-Identifier: Apache-2.0
package dev.couv.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.sync.Chan;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Publishers and subscribers of the JDK's kind, and coroutines.
@InLoop
final class FlowsTest {
  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void whatIsPublishedComesInOrderAndEnds() {
    var published = Flows.publisher(Loop.current(), numbers(1_000));
    List<Integer> got = new ArrayList<>();

    try (FlowSource<Integer> source = Flows.subscribe(published, 16)) {
      source.forEach(got::add);
      assertNull(source.next(), "and again");
    }

    assertEquals(numbers(1_000), got);
  }

  @Test
  void thePublisherIsNoFurtherAheadThanItMayBe() throws Exception {
    List<Integer> sent = new ArrayList<>();
    Flow.Publisher<Integer> published =
        Flows.publisher(
            Loop.current(),
            out -> {
              for (int i = 0; i < 100; i++) {
                out.send(i);
                sent.add(i);
              }
            });

    try (FlowSource<Integer> source = Flows.subscribe(published, 4)) {
      Time.sleep(Duration.ofMillis(5));
      assertEquals(4, sent.size());
      assertEquals(0, source.next());
      assertEquals(1, source.next());
      Time.sleep(Duration.ofMillis(5));
      assertEquals(6, sent.size());
    }
  }

  @Test
  void whoeverLeavesEndsThePublishersCoroutine() throws Exception {
    Chan<String> ended = Chan.create(1);
    Flow.Publisher<Integer> published =
        Flows.publisher(
            Loop.current(),
            out -> {
              try {
                while (true) {
                  out.send(1);
                }
              } finally {
                var _ = ended.trySend("ended");
              }
            });
    FlowSource<Integer> source = Flows.subscribe(published, 2);
    assertEquals(1, source.next());

    source.close();

    assertEquals("ended", ended.receive());
    assertTrue(source.isClosed());
    source.close();
  }

  @Test
  void whoLeavesBeforeItBeganIsNotServed() throws Exception {
    List<String> begun = new ArrayList<>();
    Flow.Publisher<Integer> published = Flows.publisher(Loop.current(), _ -> begun.add("begun"));

    Flows.subscribe(published, 1).close();
    Time.sleep(Duration.ofMillis(5));

    assertEquals(List.of(), begun);
  }

  @Test
  void aFailureIsTheSubscribersAlone() throws Exception {
    IOException broken = new IOException("broken");
    Flow.Publisher<Integer> published =
        Flows.publisher(
            Loop.current(),
            out -> {
              out.send(7);
              throw broken;
            });

    try (FlowSource<Integer> source = Flows.subscribe(published, 8)) {
      assertEquals(7, source.next());
      assertSame(broken, assertThrows(CompletionException.class, source::next).getCause());
    }
    Coroutine.pause(); // the loop goes on
  }

  @Test
  void whoIsCancelledWhileItWaitsForTheNextLosesNone() throws Exception {
    try (SubmissionPublisher<Integer> published = new SubmissionPublisher<>()) {
      FlowSource<Integer> source = Flows.subscribe(published, 4);
      Coroutine<Integer> waiting = Coroutine.spawn(source::next);
      Coroutine.pause();
      waiting.cancel();
      assertThrows(CancellationException.class, waiting::await);

      published.submit(5);

      assertEquals(5, source.next());
      source.close();
    }
  }

  @Test
  void aPublisherOfTheJdkIsIterated() {
    SubmissionPublisher<Integer> published = new SubmissionPublisher<>();
    try (FlowSource<Integer> source = Flows.subscribe(published, 3)) {
      Thread.ofPlatform()
          .start(
              () -> {
                numbers(200).forEach(published::submit);
                published.close();
              });
      List<Integer> got = new ArrayList<>();
      source.forEach(got::add);
      assertEquals(numbers(200), got);
    }
  }

  @Test
  void aPublisherThatSendsMoreThanItWasAskedForIsLeft() {
    FlowSource<Integer> source =
        Flows.subscribe(
            subscriber -> {
              boolean[] left = {false};
              subscriber.onSubscribe(
                  new Flow.Subscription() {
                    @Override
                    public void request(long count) {}

                    @Override
                    public void cancel() {
                      left[0] = true;
                    }
                  });
              subscriber.onNext(1);
              assertFalse(left[0]);
              subscriber.onNext(2);
              assertTrue(left[0]);
            },
            1);

    assertEquals(1, source.next());
    CompletionException thrown = assertThrows(CompletionException.class, source::next);
    assertEquals("the publisher sends more than it was asked for", thrown.getCause().getMessage());
  }

  @Test
  void subscribersShareAChannel() throws Exception {
    Chan<Integer> values = Chan.create(4);
    Flow.Publisher<Integer> published = Flows.publisher(Loop.current(), values);
    try (FlowSource<Integer> one = Flows.subscribe(published, 1);
        FlowSource<Integer> other = Flows.subscribe(published, 1)) {
      values.send(1);
      values.send(2);
      values.close();

      assertEquals(3, one.next() + other.next());
      assertNull(one.next());
      assertNull(other.next());
    }
  }

  @Test
  void aSubscriberThatThrowsIsItsOwnAffair() throws Exception {
    Flow.Publisher<Integer> published = Flows.publisher(Loop.current(), numbers(3));
    List<String> heard = new ArrayList<>();
    published.subscribe(
        new Flow.Subscriber<>() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(1);
          }

          @Override
          public void onNext(Integer item) {
            throw new IllegalStateException("of next");
          }

          @Override
          public void onError(Throwable failed) {
            heard.add(failed.getMessage());
            throw new IllegalStateException("of the end");
          }

          @Override
          public void onComplete() {}
        });
    Time.sleep(Duration.ofMillis(5));
    assertEquals(List.of("of next"), heard);
  }

  @Test
  void whoSubscribesToALoopThatEndsIsTold() throws Exception {
    List<FlowSource<Integer>> sources = new ArrayList<>();
    try (RunningLoop running = new RunningLoop()) {
      for (int i = 0; i < 100; i++) {
        sources.add(Flows.subscribe(Flows.publisher(running.loop(), out -> out.ready()), 1));
        sources.getLast().close();
        sources.add(Flows.subscribe(Flows.publisher(running.loop(), _ -> Coroutine.halt()), 1));
      }
    }
    for (FlowSource<Integer> source : sources) {
      while (!source.isClosed()) {
        Coroutine.pause(); // until it is told, or the test is ended
      }
    }
  }

  @Test
  void atLeastOneIsAskedFor() {
    Flow.Publisher<Integer> published = Flows.publisher(Loop.current(), numbers(1));
    assertThrows(IllegalArgumentException.class, () -> Flows.subscribe(published, 0));
  }
}
