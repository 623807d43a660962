// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.strand.Suspension;
import dev.couv.world.PathEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolledPathTest {
  @TempDir Path dir;

  @Test
  void whatIsNotThereYetIsToldWhenItComesAndNotAsRemoved() throws Exception {
    Path file = dir.resolve("later");
    List<PathEvent> told = new ArrayList<>();
    Loop.run(
        () -> {
          PolledPath polled = PolledPath.open(Suspension.loop("test"), file, 2, told::add);
          while (polled.seen() != PolledPath.Seen.ABSENT) {
            Coroutine.pause();
          }
          Files.writeString(file, "text");
          while (told.isEmpty()) {
            Coroutine.pause();
          }
          polled.close();
        });

    assertEquals(PathEvent.APPEARED, told.getFirst());
  }
}
