// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/// Random programs on the primitives of a loop, beside models of them. The seed is printed; with
/// `-Dcouv.model.seed` it is run again, with `-Dcouv.model.moves=1000000` for longer.
class ModelTest {
  private static final int MOVES = Integer.getInteger("couv.model.moves", 100_000);
  private static final int MOVES_A_DAY = Math.min(MOVES, 10_000);
  private static final long SEED = Long.getLong("couv.model.seed", System.nanoTime());

  private static List<ModelSubject> subjects(ModelStage stage) {
    return List.of(
        new ModelMutex(stage),
        new ModelMutex(stage),
        new ModelPermits(stage, 3),
        new ModelGate(stage),
        new ModelTopic(stage, false),
        new ModelTopic(stage, true),
        new ModelPromise(stage),
        new ModelChan(stage),
        new ModelChan(stage),
        new ModelTasks(stage));
  }

  @Test
  void whateverHappensThePrimitivesDoWhatTheirModelsSay(TestReporter reporter) {
    reporter.publishEntry("couv.model.seed", String.valueOf(SEED));

    new ModelRunner(ModelTest::subjects).run(SEED, MOVES_A_DAY);
  }

  @Tag("storm")
  @Test
  void soTheyDoForLong(TestReporter reporter) {
    reporter.publishEntry("couv.model.seed", String.valueOf(SEED));

    new ModelRunner(ModelTest::subjects).run(SEED, MOVES);
  }

  /// The net must be able to catch something.
  @Test
  void aModelThatServesTheYoungestFirstIsFoundOutAndTheProgramShrunk() {
    ModelRunner wrong =
        new ModelRunner(
            stage ->
                List.of(
                    new ModelMutex(stage) {
                      @Override
                      ModelActor next() {
                        return waiting.pollLast();
                      }
                    },
                    new ModelGate(stage)));

    AssertionError found = assertThrows(AssertionError.class, () -> wrong.run(1, 100_000));

    String[] lines = found.getMessage().split("\n");
    assertTrue(lines.length <= 16, found::getMessage);
  }

  @Test
  void soAreAChannelThatServesTheYoungestFirstAndACancelledTaskThatTellsAnotherFailure() {
    ModelRunner wrongChannel =
        new ModelRunner(
            stage ->
                List.of(
                    new ModelChan(stage) {
                      @Override
                      int turn(int waiting) {
                        return waiting - 1;
                      }
                    }));
    ModelRunner wrongTasks =
        new ModelRunner(
            stage ->
                List.of(
                    new ModelTasks(stage) {
                      @Override
                      Object outcomeOfACancel() {
                        return "TimeoutException";
                      }
                    }));

    for (ModelRunner wrong : List.of(wrongChannel, wrongTasks)) {
      AssertionError found = assertThrows(AssertionError.class, () -> wrong.run(1, 100_000));
      assertTrue(found.getMessage().split("\n").length <= 16, found::getMessage);
    }
  }
}
