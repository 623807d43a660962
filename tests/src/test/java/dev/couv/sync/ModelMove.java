// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// One move of a random program. Its numbers mean something wherever they stand: the stage takes them
/// modulo what there is, and skips a move that cannot be made. So every list of moves is a program, and
/// leaving some out is one again.
record ModelMove(int kind, int actor, int subject, int verb, int argument) {
  private static final int RANGE = 1 << 16;

  static List<ModelMove> program(RandomGenerator random, int length) {
    List<ModelMove> moves = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      moves.add(
          new ModelMove(
              random.nextInt(RANGE),
              random.nextInt(RANGE),
              random.nextInt(RANGE),
              random.nextInt(RANGE),
              random.nextInt(RANGE)));
    }
    return moves;
  }
}
