// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/// Makes random programs, runs them, and shrinks the first that fails.
final class ModelRunner {
  private static final int LENGTH = 200;
  private static final int SHRINK_RUNS = 2_000;

  private final Function<ModelStage, List<ModelSubject>> subjects;

  ModelRunner(Function<ModelStage, List<ModelSubject>> subjects) {
    this.subjects = subjects;
  }

  /// So many moves in all, from that seed. Throws the shortest failing program that was found.
  void run(long seed, int moves) {
    Random random = new Random(seed);
    for (int made = 0; made < moves; made += LENGTH) {
      List<ModelMove> program = ModelMove.program(random, LENGTH);
      int choice = random.nextInt();
      AssertionError failure = failureOf(program, choice, false);
      if (failure != null) {
        throw new AssertionError(
            "seed "
                + seed
                + ", program "
                + made / LENGTH
                + ": "
                + shrunk(program, choice).getMessage(),
            failure);
      }
    }
  }

  private AssertionError failureOf(List<ModelMove> program, int choice, boolean telling) {
    try {
      ModelStage.run(program, subjects, choice, telling);
      return null;
    } catch (AssertionError failure) {
      return failure;
    } catch (Throwable other) {
      return new AssertionError(other.toString(), other);
    }
  }

  /// Leaves out halves, quarters, … as long as it still fails.
  private AssertionError shrunk(List<ModelMove> program, int choice) {
    List<ModelMove> shortest = program;
    AssertionError failure = failureOf(shortest, choice, true);
    int runs = 0;
    for (int part = shortest.size() / 2; part > 0; part /= 2) {
      for (int from = 0; from < shortest.size() && runs < SHRINK_RUNS; runs++) {
        List<ModelMove> without = new ArrayList<>(shortest.subList(0, from));
        without.addAll(shortest.subList(Math.min(from + part, shortest.size()), shortest.size()));
        AssertionError still = failureOf(without, choice, true);
        if (still == null) {
          from += part;
        } else {
          shortest = without;
          failure = still;
        }
      }
    }
    return failure == null ? new AssertionError("does not fail again") : failure;
  }
}
