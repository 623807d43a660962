// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Members that come from an iterable: made when they are asked for, perhaps without end.
class AwaitIterableTest {
  private int running;
  private int peak;
  private int made;

  /// A worker that counts how many run beside it.
  private Coroutine<Integer> worker(int number) {
    made++;
    return Coroutine.spawn(
        () -> {
          peak = Math.max(peak, ++running);
          for (int i = 0; i < 1 + number % 3; i++) {
            Coroutine.pause();
          }
          running--;
          return number;
        });
  }

  private static <T> Iterable<Awaitable<T>> lazily(
      int count, IntFunction<? extends Awaitable<T>> make) {
    return () -> IntStream.range(0, count).mapToObj(i -> (Awaitable<T>) make.apply(i)).iterator();
  }

  @Test
  @Behaviour({"TA85", "TA86"})
  void noMoreThanTheLimitRunAtOnce() throws Exception {
    for (int limit = 1; limit <= 3; limit++) {
      peak = 0;
      int allowed = limit;
      Loop.run(
          () -> {
            List<Integer> values = Await.all(lazily(8, this::worker), allowed);

            assertEquals(IntStream.range(0, 8).boxed().toList(), values);
            assertEquals(allowed, peak);
          });
    }
  }

  @InLoop
  @Test
  void anEndlessIterableIsReadOnlyAsFarAsNeeded() throws Exception {
    assertEquals(List.of(0, 1, 3, 2), Await.some(4, lazily(Integer.MAX_VALUE, this::worker), 2));
    assertTrue(made <= 6, "made " + made);

    made = 0;
    assertEquals(0, Await.any(lazily(Integer.MAX_VALUE, this::worker), 3));
    assertEquals(3, made);
  }

  @InLoop
  @Test
  void firstSuccessGoesOnToTheNextWhenOneFails() throws Exception {
    IntFunction<Awaitable<Integer>> failingUntilNine =
        i ->
            Coroutine.spawn(
                () -> {
                  made++;
                  if (i < 9) {
                    throw new IOException("no " + i);
                  }
                  return i;
                });

    assertEquals(9, Await.firstSuccess(lazily(Integer.MAX_VALUE, failingUntilNine), 1));
    assertEquals(10, made);
  }

  @InLoop
  @Test
  void allEndsWithTheFirstFailureAndAsksForNoMore() throws Exception {
    IOException failure = new IOException("third");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                Await.all(
                    lazily(
                        Integer.MAX_VALUE,
                        i ->
                            i == 3
                                ? Coroutine.<Integer>spawn(
                                    () -> {
                                      throw failure;
                                    })
                                : worker(i)),
                    1));

    assertSame(failure, thrown);
    assertEquals(3, made);
  }

  /// Members that are always ready must not keep the others from running.
  @InLoop
  @Test
  void anEndlessIterableOfReadyMembersLetsTheOthersRun() throws Exception {
    Coroutine<Integer> failed =
        Coroutine.spawn(
            () -> {
              throw new IOException("failed");
            });
    Await.settle(failed);
    Coroutine<Integer> done = Coroutine.spawn(() -> 1);
    boolean[] ran = new boolean[1];
    Coroutine.spawn(() -> ran[0] = true);

    int value = Await.firstSuccess(lazily(Integer.MAX_VALUE, _ -> ran[0] ? done : failed), 1);
    assertEquals(1, value);
  }

  @InLoop
  @Test
  @Behaviour("TA19")
  void whatTheIterableThrowsEndsTheWait() throws Exception {
    Coroutine<Integer> first = worker(5);
    for (int failing = 0; failing < 3; failing++) {
      int bad = failing;
      Iterable<Awaitable<Integer>> broken =
          () -> {
            if (bad == 0) {
              throw new IllegalStateException("iterator");
            }
            return new Iterator<>() {
              @Override
              public boolean hasNext() {
                if (bad == 1) {
                  throw new IllegalStateException("hasNext");
                }
                return true;
              }

              @Override
              public Awaitable<Integer> next() {
                made++;
                if (made % 2 == 1) {
                  return first;
                }
                throw new IllegalStateException("next");
              }
            };
          };
      made = 0;
      assertThrows(IllegalStateException.class, () -> Await.all(broken));
      made = 0;
      assertThrows(IllegalStateException.class, () -> Await.settle(broken));
      made = 0;
      assertThrows(IllegalStateException.class, () -> Await.any(broken));
      made = 0;
      assertThrows(IllegalStateException.class, () -> Await.some(2, broken));
    }
    assertEquals(5, first.await());
  }

  @InLoop
  @Test
  @Behaviour("TA19")
  void theIterableMayWait() throws Exception {
    Iterable<Awaitable<Integer>> waiting =
        () -> {
          Coroutine.pause();
          return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
              Coroutine.pause();
              return next < 5;
            }

            @Override
            public Awaitable<Integer> next() {
              try {
                return worker(Coroutine.spawn(() -> next++).await());
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            }
          };
        };

    assertEquals(List.of(0, 1, 2, 3, 4), Await.all(waiting));
    assertEquals(List.of(0, 1, 2, 3, 4), Await.all(waiting, 2));
    assertEquals(5, Await.settle(waiting, 3).size());
    assertEquals(0, Await.any(waiting));
  }

  /// A missing member is a mistake, and must not be counted as one that never comes.
  @InLoop
  @Test
  void aNullMemberIsRefused() throws Exception {
    List<Awaitable<Integer>> holed = new ArrayList<>();
    holed.add(worker(1));
    holed.add(null);

    assertThrows(NullPointerException.class, () -> Await.all(holed));
    assertThrows(NullPointerException.class, () -> Await.settle(holed));
    assertThrows(NullPointerException.class, () -> Await.any(holed));
    assertEquals(1, Await.any(holed, 1));
  }

  @InLoop
  @Test
  void aThousandMembersAreNoProblem() throws Exception {
    List<Integer> expected = IntStream.range(0, 1_000).boxed().toList();
    assertEquals(expected, Await.all(lazily(1_000, this::worker)));
    assertEquals(1_000, peak);
    assertEquals(List.of(1), Await.all(worker(1)));
  }
}
