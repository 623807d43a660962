// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.error.ClosedException;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Channels that a scope owns: who uses them elsewhere is told why they end.
@InLoop
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ChanOwnedTest {
  @Test
  void isClosedWithTheFailureOfItsScope() throws Exception {
    IOException failure = new IOException("the producer failed");
    Chan<String> chan = Chan.create(0);
    Coroutine<ClosedException> receiver =
        Coroutine.spawn(() -> assertThrows(ClosedException.class, chan::receive));
    IOException thrown =
        assertThrows(
            IOException.class,
            () -> {
              try (Scope scope = Scope.open()) {
                scope.own(chan);
                scope.spawn(
                    () -> {
                      throw failure;
                    });
              }
            });

    assertSame(failure, thrown);
    assertSame(failure, chan.closeReason());
    assertSame(failure, receiver.await().getCause());
    assertSame(failure, assertThrows(ClosedException.class, chan.iterator()::hasNext).getCause());
  }

  @Test
  void isClosedWithTheCancellationOfItsScope() throws Exception {
    Chan<String> chan = Chan.create(0);
    try (Scope scope = Scope.open()) {
      scope.own(chan);
      scope.spawn(() -> Coroutine.halt());
      scope.cancel();
    }

    CancellationException reason =
        assertInstanceOf(CancellationException.class, chan.closeReason());
    assertTrue(reason.getMessage().contains("its scope was cancelled"), reason::getMessage);
  }

  /// Also if no coroutine of the scope is left to be cancelled.
  @Test
  void isClosedForAReasonWhenAnExceptionLeavesTheBlock() throws Exception {
    Chan<String> chan = Chan.create(0);
    assertThrows(
        IOException.class,
        () -> {
          try (Scope scope = Scope.open()) {
            scope.own(chan);
            throw new IOException("half way");
          }
        });

    assertInstanceOf(CancellationException.class, chan.closeReason());
  }

  @Test
  void isJustClosedByAScopeThatEndsWell() throws Exception {
    Chan<String> chan = Chan.create(1);
    try (Scope scope = Scope.open()) {
      scope.own(chan);
      chan.send("last");
    }

    assertTrue(chan.isClosed());
    assertNull(chan.closeReason());
    for (String value : chan) {
      assertSame("last", value);
    }
  }

  @Test
  void isClosedForAReasonWhoeverElseHoldsItsName() throws Exception {
    try (Chan<String> elsewhere = Chan.named("owned")) {
      assertThrows(
          IOException.class,
          () -> {
            try (Scope scope = Scope.open()) {
              scope.own(Chan.<String>named("owned"));
              scope.spawn(
                  () -> {
                    throw new IOException("x");
                  });
            }
          });

      assertInstanceOf(
          IOException.class, assertThrows(ClosedException.class, elsewhere::receive).getCause());
    }
    assertFalse(Chan.names().contains("owned"));
  }
}
