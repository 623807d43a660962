// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;

/// Counts every value: what its sender was told, and how often it arrived.
final class Ledger {
  private final int total;
  private final BitSet taken = new BitSet();
  private final BitSet unknown = new BitSet();
  private final BitSet arrived = new BitSet();
  private final BitSet twice = new BitSet();

  Ledger(int total) {
    this.total = total;
  }

  void taken(int value) {
    taken.set(value);
  }

  void unknown(int value) {
    unknown.set(value);
  }

  void arrived(int value) {
    if (arrived.get(value)) {
      twice.set(value);
    }
    arrived.set(value);
  }

  int arrivals() {
    return arrived.cardinality();
  }

  int unknowns() {
    return unknown.cardinality();
  }

  int twice() {
    return twice.cardinality();
  }

  /// None is lost.
  void checkNoneLost() {
    assertEquals(total, arrived.nextClearBit(0), "the first that is lost");
  }

  void checkNoneTwice() {
    assertEquals(-1, twice.nextSetBit(0), "the first that came twice");
  }

  /// Whatever a sender was told to be taken has arrived, and what has not, was told to be unknown.
  void checkEachLossTold() {
    BitSet lied = (BitSet) taken.clone();
    lied.andNot(arrived);
    assertEquals(-1, lied.nextSetBit(0), "the first that was told to be taken, and was not");
    BitSet told = (BitSet) taken.clone();
    told.or(unknown);
    assertEquals(total, told.nextClearBit(0), "the first whose sender was told nothing");
  }
}
