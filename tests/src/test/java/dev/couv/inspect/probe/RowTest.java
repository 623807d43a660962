// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is told of a coroutine in a line.
class RowTest {
  @ParameterizedTest
  @CsvSource({
    "Time.sleep until 2026-01-01T13:00:00Z, Time.sleep",
    "accept from tcp listener 127.0.0.1:80, accept",
    "the end of ada, the end of",
    "a gate to open, a gate",
    "a promise, a promise",
    "/odd, /odd",
  })
  void awaitsOfAKindHaveTheSameWords(String awaiting, String kind) {
    assertEquals(kind, Row.kind(awaiting));
    assertTrue(awaiting.startsWith(Row.kind(awaiting)));
  }

  @Test
  void inADumpItSaysWhatALoopSays() {
    Row row = new Row(1, false, 7, "ada", "SUSPENDED", "a gate to open", 12, "Shop.java:3");

    assertEquals(
        "    ada SUSPENDED, awaiting a gate to open for 12 ms, spawned at Shop.java:3",
        row.words());
  }
}
