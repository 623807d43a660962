// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.couv.coro.Loop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// All bytes of a file, from the system's memory or by libuv's threads.
class WholeFileTest {
  private static final int PIECE = 1 << 16;

  @TempDir Path dir;

  private Path file(int size) throws Exception {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return Files.write(dir.resolve("file"), bytes);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        1,
        4096,
        PIECE - 1,
        PIECE,
        PIECE + 1,
        PIECE + 2,
        2 * PIECE,
        2 * PIECE + 2,
        (1 << 20) - 1,
        1 << 20,
        (1 << 20) + 1,
        3 << 20
      })
  void allBytesAreRead(int size) throws Exception {
    Path file = file(size);
    Loop.run(() -> assertArrayEquals(Files.readAllBytes(file), Fs.readBytes(file)));
  }

  /// A part of it may be in memory, and the rest not.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void whatIsNotInMemoryComesFromTheDisk(int refused) throws Exception {
    Path file = file(3 * PIECE);
    Loop.run(
        () -> {
          try (var _ =
              NativeCalls.replace(
                  "preadv2", NativeCalls.failing("preadv2", UvErrors.UV_EAGAIN, refused))) {
            assertArrayEquals(Files.readAllBytes(file), Fs.readBytes(file));
          }
        });
  }

  /// The system tells a size, and the end comes before it: as in `/sys`.
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aFileThatEndsBeforeItsSizeIsReadToItsEnd(int ending) throws Exception {
    Path file = file(2 * PIECE);
    Loop.run(
        () -> {
          try (var _ = NativeCalls.replace("preadv2", NativeCalls.failing("preadv2", 0, ending))) {
            assertArrayEquals(Files.readAllBytes(file), Fs.readBytes(file));
          }
        });
  }
}
