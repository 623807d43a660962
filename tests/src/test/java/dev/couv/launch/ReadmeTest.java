// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program that a visitor sees first is one that runs.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class ReadmeTest {
  @TempDir private Path directory;

  @Test
  void theFirstProgramSaysHello() throws Exception {
    String readme = Files.readString(Cli.BASE.resolve("README.md"));
    String program = readme.split("```java\n", 2)[1].split("```", 2)[0];
    Path file = Files.writeString(directory.resolve("hello.java"), program);

    var result = new Cli().run("run", file.toString());

    assertEquals(List.of(), result.err());
    assertEquals(List.of("hello, echo"), result.out());
  }
}
