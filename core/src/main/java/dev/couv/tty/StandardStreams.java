// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.loop.Failures;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The standard streams of a loop, as far as they were asked for.
///
/// A process can be started without one of them. Then the VM, which takes the lowest number that is free, has put a file
/// of its own in its place: nothing to read as input, and still less to write to.
final class StandardStreams implements AutoCloseable {
  /// Opened before anything else, and not marked as the other files of the VM are.
  private static final Path MODULES = Path.of(System.getProperty("java.home"), "lib", "modules");

  private final @Nullable Terminal[] streams = new Terminal[3];

  Terminal open(int descriptor, String name) throws IOException {
    Terminal open = streams[descriptor];
    if (open == null || !open.isOpen()) {
      if (isOfTheVm(descriptor)) {
        throw Failures.of(UvErrors.code("EBADF"), "open", name);
      }
      open = Terminal.open(descriptor, name);
      streams[descriptor] = open;
    }
    return open;
  }

  private static boolean isOfTheVm(int descriptor) {
    try {
      return DescriptorFlags.of(descriptor).isOfThisProcess()
          || Files.isSameFile(Path.of("/proc/self/fd/" + descriptor), MODULES);
    } catch (IOException unknown) {
      return false;
    }
  }

  /// The loop has ended.
  @Override
  public void close() {
    for (Terminal stream : streams) {
      if (stream != null) {
        stream.close();
      }
    }
  }
}
