// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.Needed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The platform's C compiler, for programs that say what the headers say.
final class CCompiler {
  private CCompiler() {}

  /// Compiles with these arguments. Whatever goes wrong fails the test.
  static void compile(String compiler, String... arguments) throws Exception {
    Needed.program(compiler);
    List<String> command = new ArrayList<>(List.of(compiler));
    command.addAll(List.of(arguments));
    // Where Homebrew puts headers, which the compiler does not look for by itself.
    command.addAll(List.of("-I/opt/homebrew/include", "-I/usr/local/include"));
    run(command);
  }

  /// Fails where there is no header of libuv, and says how to get it.
  static void requireLibuvHeader(Path folder) throws Exception {
    Path source =
        Files.writeString(
            folder.resolve("header.c"), "#if !__has_include(<uv.h>)\n#error\n#endif\n");
    Needed.program("cc");
    try {
      compile("cc", "-fsyntax-only", source.toString());
    } catch (AssertionError e) {
      throw Needed.missingHeader("uv.h");
    }
  }

  /// The standard output of a command that succeeds.
  static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    int status = process.waitFor();
    if (status != 0) throw new AssertionError(command + " exited with " + status + "\n" + output);
    return output;
  }

  /// A file of the repository's `tools`.
  static Path tool(String name) {
    return Path.of(System.getProperty("couv.basedir", "..")).resolve("tools").resolve(name);
  }
}
