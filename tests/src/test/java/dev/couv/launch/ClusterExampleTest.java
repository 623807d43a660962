// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Needed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The job over several processes in `examples`, as a visitor runs it.
@Tag("jvm")
@Tag("servers")
class ClusterExampleTest {
  @Test
  void nothingIsLostWithAWorker() throws Exception {
    Needed.program("nats-server");

    var end = new Cli().withCluster().run("run", "examples/cluster.java");

    assertEquals(0, end.status(), () -> String.join("\n", end.err()));
    assertEquals("nothing was lost", end.out().getLast());
    assertTrue(end.out().stream().anyMatch(line -> line.startsWith("killed worker ")));
    // Who was killed was busy. This is no terminal, and has a line for each tenth.
    var progress = end.out().stream().filter(line -> line.contains("begun again: ")).toList();
    assertEquals(10, progress.size(), progress::toString);
    assertFalse(progress.getLast().endsWith("begun again: 0"), progress::toString);
    assertTrue(end.out().stream().noneMatch(line -> line.contains("\r")));
  }
}
