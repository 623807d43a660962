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
  @CsvSource(
      delimiter = ';',
      value = {
        "Time.sleep until 2026-01-01T13:00:00Z; Time.sleep",
        "accept from tcp listener 127.0.0.1:80; accept from tcp listener",
        "read from tcp [fe80::1]:80; read from tcp",
        "read \"/tmp/orders\"; read",
        "Signal.watch [HUP]; Signal.watch [HUP]",
        "the end of ada; the end of ada",
        "the end of worker-17; the end of worker",
        "the end of a scope of 1 coroutine; the end of a scope",
        "a gate to open; a gate to open",
        "a value from channel orders; a value from channel orders",
        "a mutex, locked by ada; a mutex, locked by ada",
        "2 permits, of which 1 are there; 2 permits",
        "any of a promise, Time.after until 2026-01-01T13:00:00Z; any of a promise, Time.after",
        "make (process 77); make",
        "a promise; a promise",
        "/odd; /odd",
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
