// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PoolThreadsTest {
  /// As `atoi` reads it, into a number without a sign.
  @ParameterizedTest
  @CsvSource(
      value = {
        "8|8",
        "' 8'|8",
        "8x|8",
        "+8|8",
        "0|1",
        "''|1",
        "x|1",
        "-1|1024",
        "1024|1024",
        "5000|1024",
        "99999999999|1024"
      },
      delimiter = '|')
  void theirNumberIsReadAsLibuvReadsIt(String text, int count) {
    assertEquals(count, PoolThreads.asLibuvReads(text));
  }
}
