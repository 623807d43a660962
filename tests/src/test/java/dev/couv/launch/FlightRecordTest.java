// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `couv run --flight`: what coroutines do is in the record.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class FlightRecordTest {
  @TempDir private Path directory;

  @Test
  void recordsCoroutinesAndAwaits() throws Exception {
    Files.writeString(
        directory.resolve("Script.java"),
        """
        import module dev.couv;

        void main() throws Exception {
          Coroutine.spawn(() -> Time.sleep(Duration.ofMillis(20))).named("sleeper").await();
          System.exit(4);
        }
        """);

    var result = new Cli().in(directory).run("run", "--flight", "run.jfr", "Script.java");

    assertEquals(4, result.status(), result.err()::toString);
    Set<String> told =
        RecordingFile.readAllEvents(directory.resolve("run.jfr")).stream()
            .map(RecordedEvent::getEventType)
            .map(type -> type.getName())
            .filter(name -> name.startsWith("dev.couv."))
            .collect(Collectors.toSet());
    assertTrue(told.contains("dev.couv.CoroutineStart"), told::toString);
    assertTrue(told.contains("dev.couv.CoroutineAwait"), told::toString);
  }
}
