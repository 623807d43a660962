// SPDX-License-Identifier: Apache-2.0
package dev.couv.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ErrorsTest {
  @Test
  void failureOfTheWorldTellsCodeCallAndSubject() {
    UvException failure =
        new UvException("ECONNREFUSED", 111, "connection refused", "connect", "10.0.0.7:80");

    assertEquals("ECONNREFUSED", failure.code());
    assertEquals(111, failure.errno());
    assertEquals("connect", failure.call());
    assertEquals("10.0.0.7:80", failure.subject());
    assertEquals("connect 10.0.0.7:80: connection refused (ECONNREFUSED)", failure.getMessage());
    assertNull(failure.getCause());
  }

  @Test
  void failureOfTheWorldMustBeDealtWith() {
    assertInstanceOf(IOException.class, new UvException("EIO", 5, "i/o error", "read", "x"));
  }

  @Test
  void mistakesOfTheProgramNeedNotBeDeclared() {
    for (RuntimeException mistake :
        List.of(
            new BusyException("message"),
            new ClosedException("message"),
            new BrokenException("message"))) {
      assertEquals("message", mistake.getMessage());
    }
  }
}
