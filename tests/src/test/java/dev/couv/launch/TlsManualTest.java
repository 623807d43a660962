// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page on TLS begins with a program that runs.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class TlsManualTest {
  @TempDir private Path directory;

  @Test
  void theFirstProgramSaysHello() throws Exception {
    String page = Files.readString(Cli.BASE.resolve("docs/manual/tls.md"));
    String command = page.split("```sh\n", 2)[1].split("```", 2)[0].strip();
    String program = page.split("```java\n", 2)[1].split("```", 2)[0];
    Files.writeString(directory.resolve("hello.java"), program);
    try (Program openssl = Program.start("sh", "-c", "cd " + directory + " && " + command)) {
      String end = openssl.end();
      assertTrue(end.startsWith("0\n"), end);
    }

    var result = new Cli().in(directory).run("run", "hello.java");

    assertEquals(List.of(), result.err());
    assertEquals(List.of("hello by TLSv1.3"), result.out());
  }
}
