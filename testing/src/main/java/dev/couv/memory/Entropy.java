// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import java.util.SplittableRandom;

/// Where chance comes from in one part of a world: from a seed, and nothing else.
public final class Entropy {
  private final SplittableRandom random;

  public Entropy(long seed) {
    this(new SplittableRandom(seed));
  }

  private Entropy(SplittableRandom random) {
    this.random = random;
  }

  /// A source of its own, for another part: what that draws changes nothing here.
  public Entropy split() {
    return new Entropy(random.split());
  }

  public SplittableRandom random() {
    return random;
  }

  /// True with that probability. Nothing is drawn where there is no doubt.
  public boolean chance(double probability) {
    return probability > 0 && (probability >= 1 || random.nextDouble() < probability);
  }

  byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
