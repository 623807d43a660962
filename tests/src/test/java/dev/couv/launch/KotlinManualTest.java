// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.net.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program of the page on Kotlin is compiled by Kotlin's compiler, and prints what the page says.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class KotlinManualTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  @TempDir private Path directory;

  @Test
  void theProgramSaysWhatThePageSays() throws Exception {
    Page page = Page.read(Page.MANUAL.resolve("guides/kotlin.md"));
    Page.Block program =
        page.blocks().stream()
            .filter(block -> block.info().equals("kotlin"))
            .findFirst()
            .orElseThrow();
    Path file = Files.writeString(directory.resolve("hello.kt"), program.text());

    String compiled =
        java(
            "-Xmx512m",
            "--enable-native-access=ALL-UNNAMED", // of the compiler's own
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            CLASS_PATH,
            "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
            "-no-stdlib",
            "-no-reflect",
            "-jvm-target",
            "25",
            "-cp",
            CLASS_PATH,
            "-d",
            directory.toString(),
            file.toString());
    assertEquals("0\n", compiled);

    String said =
        java(
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            directory + ":" + CLASS_PATH,
            "HelloKt");
    assertEquals("0\n" + page.printed(program), said);
  }

  /// The exit code, and below it all that was written.
  private static String java(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = Cli.JAVA_HOME.resolve("bin/java").toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    try (Program program = Program.start(command)) {
      return program.end();
    }
  }
}
