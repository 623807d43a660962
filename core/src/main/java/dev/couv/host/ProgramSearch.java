// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.loop.Failures;
import dev.couv.loop.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the file of a program before anything is started, so that a failure names what is missing: the
/// system has one code for a missing program, directory and interpreter.
final class ProgramSearch {
  private static final byte[] USUAL_PATH = "/usr/local/bin:/usr/bin:/bin".getBytes(US_ASCII);
  private static final byte[] HERE = {'.'};

  private ProgramSearch() {}

  /// What to run, as the system has it: the name itself if it has a slash, and then as seen from the child's
  /// directory.
  static byte[] find(String name, @Nullable Path dir) throws IOException {
    Path in = dir == null ? null : directory(dir);
    byte[] bytes = name.getBytes(UTF_8);
    Path program = PathBytes.path(bytes);
    if (name.indexOf('/') >= 0) {
      Path file = in == null ? present(program) : in.resolve(program);
      if (!isProgram(file)) {
        throw Failures.ofFile(Files.exists(file) ? "EACCES" : "ENOENT", "start", name);
      }
      return bytes;
    }
    boolean forbidden = false;
    byte[] path = HostEnvironment.INSTANCE.bytes("PATH");
    for (byte[] place : places(path == null ? USUAL_PATH : path)) {
      Path file;
      try {
        file = present(PathBytes.path(place)).resolve(program);
      } catch (IOException gone) {
        continue; // the present directory, and with it whatever was in there
      }
      if (isProgram(file)) {
        return PathBytes.bytes(file);
      }
      forbidden |= Files.isRegularFile(file);
    }
    throw Failures.ofFile(forbidden ? "EACCES" : "ENOENT", "start", name);
  }

  /// The directory of the process may be another than the one that Java resolves against.
  private static Path present(Path path) throws IOException {
    return path.isAbsolute() ? path : HostEnvironment.INSTANCE.dir().resolve(path);
  }

  /// Between the colons; the empty one is the present directory.
  private static List<byte[]> places(byte[] path) {
    List<byte[]> places = new ArrayList<>();
    for (int from = 0, to = 0; to <= path.length; to++) {
      if (to == path.length || path[to] == ':') {
        places.add(from == to ? HERE : Arrays.copyOfRange(path, from, to));
        from = to + 1;
      }
    }
    return places;
  }

  private static Path directory(Path named) throws IOException {
    Path dir = present(named);
    if (!Files.isDirectory(dir)) {
      throw Failures.ofFile(Files.exists(dir) ? "ENOTDIR" : "ENOENT", "start in", named.toString());
    }
    return dir;
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
