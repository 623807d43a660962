// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.BusyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random awaits of all kinds by several waiters that are resumed at random: each ends exactly once,
/// and nothing stays behind.
@Tag("storm")
final class OperationStormTest {
  private static final int WAITERS = 8;
  private static final int STEPS = 6000;

  @RegisterExtension final TestLoop test = new TestLoop();

  private final List<LookupOperation> lookups = new ArrayList<>();
  private List<RandomRequest> sources;
  private List<TcpHandle> streams;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void everyAwaitEndsOnceAndNothingStaysBehind(long seed) {
    Random random = new Random(seed);
    sources = List.of(new RandomRequest(test.loop()), new RandomRequest(test.loop()));
    TcpPair pair = new TcpPair(test);
    streams = List.of(pair.near, pair.far);
    List<Actor> actors = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      actors.add(new Actor());
    }

    for (int i = 0; i < STEPS; i++) {
      actors.get(random.nextInt(WAITERS)).step(random);
      if (random.nextInt(4) == 0) {
        test.turn();
      }
    }
    actors.forEach(Actor::finish);
    streams.forEach(ObjectHandle::close);
    test.turnUntilQuiet();

    assertEquals(List.of(), test.blocks());
    assertFalse(test.loop().liveness().isAlive());
    for (Actor actor : actors) {
      assertEquals(actor.started, actor.ended);
      assertTrue(actor.started > 0);
    }
    assertTrue(lookups.stream().noneMatch(LookupOperation::holdsAddresses));
    assertTrue(
        actors.stream().anyMatch(actor -> actor.heard.values().stream().anyMatch(n -> n > 1)));
    for (Actor actor : actors) {
      actor.heard.forEach(
          (bell, times) ->
              assertTrue(times <= actor.rung.getOrDefault(bell, 0), "a stranger's ring"));
    }
  }

  private Operation make(Random random, List<AsyncOperation.Bell> bells) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> new RandomOperation("random", random.nextInt(3000));
      case 2 -> {
        LookupOperation lookup = new LookupOperation("lookup");
        lookups.add(lookup);
        yield lookup;
      }
      case 3 -> new TimerOperation("timer", 1 + random.nextInt(2));
      case 4 -> new IdleOperation("idle");
      case 5 -> new AsyncOperation("async", bells.get(random.nextInt(bells.size())));
      case 6 -> sources.get(random.nextInt(sources.size()));
      default -> new TcpHandle.TcpRead(streams.get(random.nextInt(streams.size())));
    };
  }

  /// A waiter and what it does.
  private final class Actor {
    private final TestWaiter waiter = new TestWaiter(test.loop());
    private Operation awaited;
    private int told;
    private int started;
    private int ended;

    private final List<AsyncOperation.Bell> bells =
        List.of(new AsyncOperation.Bell(), new AsyncOperation.Bell());
    private final Map<AsyncOperation.Bell, Integer> rung = new HashMap<>();
    private final Map<AsyncOperation.Bell, Integer> heard = new HashMap<>();

    void step(Random random) {
      if (awaited == null) {
        if (random.nextInt(4) == 0) {
          waiter.turnAway();
        } else {
          start(random);
        }
      } else if (waiter.completions() > told) {
        take(random.nextBoolean());
      } else if (awaited instanceof AsyncOperation async && random.nextBoolean()) {
        async.ring();
        rung.merge(async.bell(), 1, Integer::sum);
      } else if (random.nextInt(3) == 0) {
        awaited.cancel();
        awaited = null;
        ended++;
      }
    }

    private void start(Random random) {
      Operation operation = make(random, bells);
      boolean complete;
      try {
        complete = waiter.await(operation);
      } catch (BusyException refused) {
        return;
      }
      started++;
      if (complete) {
        ended++;
        hear(operation);
      } else {
        awaited = operation;
      }
    }

    private void take(boolean resumed) {
      assertEquals(told + 1, waiter.completions());
      told++;
      ended++;
      if (resumed) {
        awaited.surrender();
      } else if (awaited instanceof LookupOperation lookup) {
        lookup.free();
      } else {
        hear(awaited);
      }
      awaited = null;
    }

    private void hear(Operation taken) {
      if (taken instanceof AsyncOperation async) {
        heard.merge(async.bell(), 1, Integer::sum);
      }
    }

    void finish() {
      if (awaited != null) {
        if (waiter.completions() > told) {
          take(true);
        } else {
          awaited.cancel();
          awaited = null;
          ended++;
        }
      }
      waiter.turnAway();
      assertEquals(told, waiter.completions());
    }
  }
}
