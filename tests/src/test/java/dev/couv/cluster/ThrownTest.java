// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What was thrown at one side is told in as much as there is room for.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class ThrownTest {
  private static final Throwable LONG = new IllegalStateException("\u0001ä".repeat(1_500));

  @Test
  void whereThereIsRoomTheTraceIsTold() {
    RemoteFailureException told = told(new IllegalStateException("why"), 1 << 20);

    assertEquals("java.lang.IllegalStateException", told.type());
    assertEquals("why", told.remoteMessage());
    assertFalse(told.remoteTrace().isEmpty());
  }

  @Test
  void whereThereIsLittleLessIsTold() {
    for (int room : new int[] {100_000, 20_000, 5_000, 1_000}) {
      assertTrue(Thrown.encode(LONG, room).length <= room, () -> "in " + room);
      assertEquals("java.lang.IllegalStateException", told(LONG, room).type());
    }
    assertTrue(told(LONG, 1_000).remoteTrace().isEmpty());
    assertFalse(told(LONG, 1_000).remoteMessage().isEmpty());
  }

  @Test
  void aLetterThatIsCutInTwoIsTold() {
    String cut = "x".repeat(1_999) + "\uD83D\uDE00";

    assertTrue(told(new IllegalStateException(cut), 1 << 20).remoteMessage().startsWith("xxx"));
    assertFalse(told(new IllegalStateException("\uD83D"), 1 << 20).remoteMessage().isEmpty());
  }

  @Test
  void whatCannotEvenSayWhyIsTold() {
    @SuppressWarnings("serial")
    class Mute extends RuntimeException {
      @Override
      public String getMessage() {
        throw new IllegalStateException("no");
      }

      @Override
      public StackTraceElement[] getStackTrace() {
        throw new IllegalStateException("no");
      }
    }

    assertTrue(told(new Mute(), 1 << 20).type().endsWith("Mute"));
  }

  /// Tests are run without modules, programs with them.
  @Test
  void asAModuleItLetsItselfBeWritten() throws Exception {
    Path place = Path.of(Thrown.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor module =
        ModuleFinder.of(place).find("dev.couv.cluster").orElseThrow().descriptor();

    assertTrue(
        module.opens().stream()
            .anyMatch(
                each ->
                    each.source().equals("dev.couv.cluster")
                        && each.targets().contains("tools.jackson.databind")));
  }

  private static RemoteFailureException told(Throwable thrown, int room) {
    return Thrown.decode("a test", Thrown.encode(thrown, room));
  }
}
