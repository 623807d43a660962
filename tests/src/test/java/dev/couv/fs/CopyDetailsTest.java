// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Faults.failing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.fs.CopyOptions.Progress;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Holes, and what is preserved of a file, while the world is not as it should be.
class CopyDetailsTest {
  private static final CopyOptions PRESERVE = CopyOptions.DEFAULT.withPreserve(true);

  @TempDir Path dir;

  /// Some bytes here and there, a hole at the end if that is wanted.
  private Path sparse(boolean holeAtEnd) throws IOException {
    Path path = dir.resolve("from");
    Random random = new Random(5);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      for (int i = 0; i < 20; i++) {
        byte[] bytes = new byte[1 + random.nextInt(20_000)];
        random.nextBytes(bytes);
        file.seek(i * 1_000_000L + random.nextInt(900_000));
        file.write(bytes);
      }
      if (holeAtEnd) {
        file.setLength(25_000_000);
      }
    }
    return path;
  }

  @ParameterizedTest
  @EnumSource
  void everyByteIsWhereItWasAndTheHolesAreHoles(BothWays way) throws Exception {
    for (boolean holeAtEnd : new boolean[] {false, true}) {
      Path from = sparse(holeAtEnd);
      Path to = dir.resolve("to");
      way.run(() -> way.fs("copy", from, to));

      assertEquals(-1, Files.mismatch(from, to));
      long blocks = Fs.infoNow(to).blocks();
      assertTrue(blocks <= Fs.infoNow(from).blocks() + 16, () -> blocks + " blocks");
      Files.delete(from);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingButAHoleIsCopiedAsThat(BothWays way) throws Exception {
    Path from = dir.resolve("from");
    try (RandomAccessFile file = new RandomAccessFile(from.toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    List<Long> told = new ArrayList<>();
    Progress progress = (done, of) -> told.add(done);
    Path to = dir.resolve("to");
    way.run(() -> way.fs("copy", from, to, CopyOptions.DEFAULT.withProgress(progress)));

    assertEquals(1L << 40, Files.size(to));
    assertEquals(List.of(1L << 40), told);
  }

  @ParameterizedTest
  @EnumSource
  void whereHolesAreNotKnownAllBytesAreCopied(BothWays way) throws Exception {
    Path from = sparse(true);
    Path to = dir.resolve("to");
    way.run(
        () -> {
          try (var _ = failing("lseek", "EINVAL", 1)) {
            way.fs("copy", from, to);
          }
        });

    assertEquals(-1, Files.mismatch(from, to));
  }

  /// Files in `/sys` say 4096 bytes and no block.
  @ParameterizedTest
  @EnumSource
  void aFileThatSaysMoreThanItHasIsCopiedUpToItsEnd(BothWays way) throws Exception {
    Path from = Path.of("/sys/devices/system/cpu/online");
    Path to = dir.resolve("to");
    way.run(() -> way.fs("copy", from, to));

    assertEquals(Files.readString(from), Files.readString(to));
  }

  @ParameterizedTest
  @EnumSource
  void aFileWithHolesThatGetsShorterEndsTheCopy(BothWays way) throws Exception {
    Path from = sparse(true);
    Path to = dir.resolve("to");
    Progress cutting =
        (done, of) -> {
          try (RandomAccessFile file = new RandomAccessFile(from.toFile(), "rw")) {
            file.setLength(Math.min(file.length(), done + 5));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        };
    way.run(() -> way.fs("copy", from, to, CopyOptions.DEFAULT.withProgress(cutting)));

    assertEquals(Files.size(from), Files.size(to));
  }

  @InLoop
  @Test
  void aCopyThatIsCancelledWhileHolesAreSoughtLeavesNothing() throws Exception {
    Path from = sparse(true);
    Path to = dir.resolve("to");
    for (int turns = 0, copied = 0; copied < 3; turns += 1 + turns / 10) {
      Coroutine<?> copier = Coroutine.spawn(() -> Fs.copy(from, to));
      for (int i = 0; i < turns; i++) {
        Coroutine.pause();
      }
      copier.cancel();
      try {
        copier.await();
        copied++;
        Fs.remove(to);
      } catch (CancellationException e) {
        assertFalse(Files.exists(to));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void specialBitsAreNotLentByAnotherOwner(BothWays way) throws Exception {
    Path from = Files.writeString(dir.resolve("from"), "text");
    Fs.chmodNow(from, 06755);
    // As it is for everybody but root, of the file of somebody else.
    FileInfo before = Fs.infoNow(from);
    boolean root = before.uid() == 0;
    if (root) {
      Fs.chownNow(from, 12345, 12345);
      Fs.chmodNow(from, 06755);
    }
    Path to = dir.resolve("to");
    way.run(
        () -> {
          try (var _ = failing("uv_fs_fchown", "EPERM")) {
            way.fs("copy", from, to, PRESERVE);
          }
        });

    assertEquals(root ? 0755 : 06755, Fs.infoNow(to).mode() & 07777);
    assertEquals(before.uid(), Fs.infoNow(to).uid());
    assertEquals(Fs.infoNow(from).modified(), Fs.infoNow(to).modified());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsPreservedIsNobodyElsesUntilItIsWhole(BothWays way) throws Exception {
    Path from = Files.write(dir.resolve("from"), new byte[20 << 20]);
    Fs.chmodNow(from, 04777);
    Path to = dir.resolve("to");
    List<Integer> modes = new ArrayList<>();
    Progress look =
        (done, of) -> {
          try {
            modes.add(Fs.infoNow(to).mode() & 07777);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        };
    way.run(() -> way.fs("copy", from, to, PRESERVE.withProgress(look)));

    assertEquals(List.of(0700, 0700, 0700), modes);
    assertEquals(04777, Fs.infoNow(to).mode() & 07777);
  }

  @ParameterizedTest
  @EnumSource
  void aLinkThatCannotTakeItsPlaceLeavesNothing(BothWays way) throws Exception {
    Path from = Files.createSymbolicLink(dir.resolve("from"), Path.of("../caf\u00e9"));
    Path to = Files.createDirectory(dir.resolve("to"));
    way.run(
        () -> {
          assertThrows(IOException.class, () -> way.fs("copy", from, to, PRESERVE));
          assertThrows(
              IOException.class, () -> way.fs("copy", from, to, PRESERVE.withOverwrite(false)));
          way.fs("copy", from, dir.resolve("link"), PRESERVE);
        });

    assertEquals(Path.of("../caf\u00e9"), Files.readSymbolicLink(dir.resolve("link")));
    try (var files = Files.list(dir)) {
      assertEquals(3, files.count());
    }
  }
}
