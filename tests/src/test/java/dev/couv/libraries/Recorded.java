// SPDX-License-Identifier: Apache-2.0
package dev.couv.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Action;
import dev.couv.testing.Tries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// What the flight recorder sees of coroutines that hold their loop.
final class Recorded {
  private static final String PINNED = "jdk.VirtualThreadPinned";

  private Recorded() {}

  /// Tried again if need be: the first time classes are loaded, and who waits for that while another thread does it is pinned.
  static void assertNothingPins(Action action) throws Exception {
    Tries.oneOf(3, () -> assertEquals(List.of(), pinnedDuring(action)));
  }

  /// The waits during which a virtual thread could not leave the thread that carries it: the loop's, which waited with it.
  static List<String> pinnedDuring(Action action) throws Exception {
    Path file = Files.createTempFile("couv-pinned", ".jfr");
    try (Recording recording = new Recording()) {
      recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
      List<String> pinned = new ArrayList<>();
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        if (event.getEventType().getName().equals(PINNED)) {
          pinned.add(event.toString());
        }
      }
      return pinned;
    } finally {
      Files.delete(file);
    }
  }
}
