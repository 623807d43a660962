// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The modules that a script can import.
@Tag("loop-scheduled-engine")
class ScriptModuleTest {
  @Test
  void theShellScriptHasTheSameList() throws Exception {
    String couv = Files.readString(Cli.BASE.resolve("couv"));
    String list = couv.split("\noptional_modules=\\(", 2)[1].split("\\)", 2)[0];

    assertEquals(new TreeSet<>(ScriptModule.optional()), new TreeSet<>(Set.of(list.split(" "))));
  }

  @Test
  @Tag("jvm")
  void aScriptMayImportTheBridges(@TempDir Path directory) throws Exception {
    Files.writeString(
        directory.resolve("Script.java"),
        """
        import module dev.couv;
        import module dev.couv.bridge;

        void main() throws Exception {
          try (var source = Flows.subscribe(Flows.publisher(Loop.current(), List.of(1, 2)), 1)) {
            for (int each : source) IO.println(each);
          }
        }
        """);

    var end = new Cli().withBridge().in(directory).run("run", "Script.java");

    assertEquals(List.of(), end.err());
    assertEquals(List.of("1", "2"), end.out());
  }
}
