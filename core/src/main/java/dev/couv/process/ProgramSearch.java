// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.loop.Failures;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Finds the file of a program before anything is started, so that a failure names what is missing: the
/// system has one code for a missing program, directory and interpreter.
final class ProgramSearch {
  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

  private ProgramSearch() {}

  /// What to run: the name itself if it has a slash, and then as seen from the child's directory.
  static String find(String name, @Nullable Path dir) throws IOException {
    if (dir != null) {
      checkDirectory(dir);
    }
    if (name.indexOf('/') >= 0) {
      Path file = dir == null ? Path.of(name) : dir.resolve(name);
      if (!isProgram(file)) {
        throw failure(Files.exists(file) ? "EACCES" : "ENOENT", "start", name);
      }
      return name;
    }
    boolean forbidden = false;
    String path = Env.get("PATH");
    for (String place : (path == null ? USUAL_PATH : path).split(":", -1)) {
      Path file = Path.of(place.isEmpty() ? "." : place, name);
      if (isProgram(file)) {
        return file.toAbsolutePath().toString();
      }
      forbidden |= Files.isRegularFile(file);
    }
    throw failure(forbidden ? "EACCES" : "ENOENT", "start", name);
  }

  private static void checkDirectory(Path dir) throws IOException {
    if (!Files.isDirectory(dir)) {
      throw failure(Files.exists(dir) ? "ENOTDIR" : "ENOENT", "start in", dir.toString());
    }
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  private static IOException failure(String code, String call, String subject) {
    return Failures.ofFile(UvErrors.code(code), call, subject);
  }
}
