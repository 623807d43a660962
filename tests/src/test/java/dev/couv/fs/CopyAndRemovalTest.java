// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Faults.failing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.fs.CopyOptions.Sharing;
import dev.couv.loop.CallCount;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Copies and removals while the world changes under them.
class CopyAndRemovalTest {
  private static final StandardOpenOption WRITE = StandardOpenOption.WRITE;
  private static final int LARGE = 20 << 20;

  @TempDir Path dir;

  private Path large() throws IOException {
    byte[] bytes = new byte[LARGE];
    new Random(1).nextBytes(bytes);
    return Files.write(dir.resolve("large"), bytes);
  }

  @Test
  void aCancelledCopyStopsAndLeavesNoHalfFile() throws Exception {
    Path from = large();
    Path to = dir.resolve("copy");
    List<Long> told = new ArrayList<>();
    Loop.run(
        () -> {
          Coroutine<?>[] copier = new Coroutine<?>[1];
          copier[0] =
              Coroutine.spawn(
                  () ->
                      Fs.copy(
                          from,
                          to,
                          CopyOptions.DEFAULT.withProgress(
                              (done, of) -> {
                                told.add(done);
                                copier[0].cancel();
                              })));
          assertThrows(CancellationException.class, copier[0]::await);
        });

    assertEquals(List.of(8L << 20), told);
    assertFalse(Files.exists(to));
  }

  @ParameterizedTest
  @EnumSource
  void whatCannotBeCopiedLeavesNothing(BothWays way) throws Exception {
    Path from = large();
    Path to = dir.resolve("copy");
    way.run(
        () -> {
          try (var _ = failing("uv_fs_sendfile", "ENOSPC", 2)) {
            UvException thrown = assertThrows(UvException.class, () -> way.fs("copy", from, to));
            assertEquals("ENOSPC", thrown.code());
            assertEquals(from + " -> " + to, thrown.subject());
          }
        });

    assertFalse(Files.exists(to));
  }

  @Test
  void aFileThatGetsShorterWhileItIsCopiedEndsTheCopy() throws Exception {
    Path from = large();
    Path to = dir.resolve("copy");
    Loop.run(
        () ->
            Fs.copy(
                from,
                to,
                CopyOptions.DEFAULT.withProgress(
                    (done, of) -> {
                      if (done < of) {
                        cutOff(from, done + 5);
                      }
                    })));

    assertEquals(Files.size(from), Files.size(to));
  }

  private static void cutOff(Path path, long size) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void filesOfUnknownSizeAreCopiedWhole(BothWays way) throws Exception {
    Path to = dir.resolve("copy");
    way.run(() -> way.fs("copy", Path.of("/proc/version"), to));

    assertEquals(Fs.readStringNow(Path.of("/proc/version")), Files.readString(to));
  }

  @ParameterizedTest
  @EnumSource
  void aCopyKeepsTheTargetsIdentityAndPermissions(BothWays way) throws Exception {
    Path from = Files.writeString(dir.resolve("from"), "new");
    Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("rwx-w---x"));
    Path to = Files.writeString(dir.resolve("to"), "a longer text");
    Path alias = Files.createLink(dir.resolve("alias"), to);
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rw-r-----"));
    way.run(() -> way.fs("copy", from, to));

    assertEquals("new", Files.readString(alias), "the file was written to, not exchanged");
    assertEquals(PosixFilePermissions.fromString("rw-r-----"), Files.getPosixFilePermissions(to));
  }

  @ParameterizedTest
  @EnumSource
  void aCopyOntoItselfChangesNothing(BothWays way) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    Path link = Files.createSymbolicLink(dir.resolve("link"), file);
    way.run(() -> way.fs("copy", file, link));

    assertEquals("text", Files.readString(file));
  }

  @ParameterizedTest
  @EnumSource
  void aDeviceThatTakesNothingIsNotRemoved(BothWays way) throws Exception {
    Path from = Files.writeString(dir.resolve("from"), "text");
    Path full = Path.of("/dev/full");
    way.run(
        () -> {
          UvException thrown = assertThrows(UvException.class, () -> way.fs("copy", from, full));
          assertEquals("ENOSPC", thrown.code());
          way.fs("copy", from, Path.of("/dev/null"));
        });

    assertTrue(Files.exists(full));
    assertTrue(Files.exists(Path.of("/dev/null")));
  }

  @ParameterizedTest
  @EnumSource
  void aDirectoryIsNotCopiedAndLeavesTheTargetAsItWas(BothWays way) throws Exception {
    Path from = Files.createDirectory(dir.resolve("from"));
    Path to = Files.writeString(dir.resolve("to"), "old");
    way.run(
        () -> {
          UvException thrown = assertThrows(UvException.class, () -> way.fs("copy", from, to));
          assertEquals("EISDIR", thrown.code());
          assertEquals(from.toString(), thrown.subject());
          assertThrows(UvException.class, () -> way.fs("copy", from, dir.resolve("new")));
        });

    assertEquals("old", Files.readString(to));
    assertFalse(Files.exists(dir.resolve("new")));
  }

  @ParameterizedTest
  @EnumSource
  void aTargetThatCannotBeEmptiedStaysAsItIs(BothWays way) throws Exception {
    Path from = Files.writeString(dir.resolve("from"), "new");
    Path to = Files.writeString(dir.resolve("to"), "old");
    way.run(
        () -> {
          try (var _ = failing("uv_fs_ftruncate", "EPERM")) {
            assertThrows(IOException.class, () -> way.fs("copy", from, to));
          }
        });

    assertEquals("old", Files.readString(to));
  }

  @ParameterizedTest
  @EnumSource
  void halfACopyThroughALinkIsRemovedAndTheLinkStays(BothWays way) throws Exception {
    Path from = Files.writeString(dir.resolve("from"), "new");
    Path real = Files.writeString(dir.resolve("real"), "old");
    Path to = Files.createSymbolicLink(dir.resolve("to"), real);
    way.run(
        () -> {
          try (var _ = failing("uv_fs_sendfile", "ENOSPC")) {
            assertThrows(UvException.class, () -> way.fs("copy", from, to));
          }
        });

    assertFalse(Files.exists(real));
    assertTrue(Files.isSymbolicLink(to));
  }

  @ParameterizedTest
  @EnumSource
  void whatTakesTheTargetsPlaceStaysAndTheFailureIsTheFirstOne(BothWays way) throws Exception {
    Path from = large();
    Path to = dir.resolve("to");
    way.run(
        () -> {
          for (boolean replaced : new boolean[] {false, true}) {
            CopyOptions failing =
                CopyOptions.DEFAULT.withProgress(
                    (done, of) -> {
                      try {
                        Files.delete(to);
                        if (replaced) {
                          Files.writeString(to, "another");
                        }
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                      throw new IllegalStateException("stop");
                    });
            var thrown =
                assertThrows(IllegalStateException.class, () -> way.fs("copy", from, to, failing));
            assertEquals("stop", thrown.getMessage());
          }
        });

    assertEquals("another", Files.readString(to));
  }

  /// Of the request that shares blocks, which this machine's file system need not know.
  private static NativeCalls.Replacement sharing(LongBinaryOperator made) throws Exception {
    MethodHandle call =
        MethodHandles.lookup()
            .findVirtual(
                LongBinaryOperator.class,
                "applyAsLong",
                MethodType.methodType(long.class, long.class, long.class))
            .bindTo(made);
    MethodHandle ioctl =
        MethodHandles.dropArguments(
            MethodHandles.explicitCastArguments(
                call, MethodType.methodType(int.class, int.class, long.class)),
            1,
            long.class);
    return NativeCalls.replace("ioctl", ioctl);
  }

  @ParameterizedTest
  @EnumSource
  void whatMustBeSharedAndCannotLeavesTheTargetAsItWas(BothWays way) throws Exception {
    Path from = Files.writeString(dir.resolve("from"), "new");
    Path to = Files.writeString(dir.resolve("to"), "old");
    CopyOptions required = CopyOptions.DEFAULT.withSharing(Sharing.REQUIRE);
    way.run(
        () -> {
          try (var _ = sharing((target, source) -> UvErrors.code("ENOTSUP"))) {
            assertThrows(UvException.class, () -> way.fs("copy", from, to, required));
            Path made = dir.resolve("new");
            assertThrows(UvException.class, () -> way.fs("copy", from, made, required));
          }
        });

    assertEquals("old", Files.readString(to));
    try (var files = Files.list(dir)) {
      assertEquals(2, files.count());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsSharedReplacesOnlyWhatMayBeReplaced(BothWays way) throws Exception {
    Path from = Files.writeString(dir.resolve("from"), "new");
    Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("rwx------"));
    Fs.chmodNow(from, 04700);
    Path to = Files.writeString(dir.resolve("to"), "a longer one");
    CopyOptions required = CopyOptions.DEFAULT.withSharing(Sharing.REQUIRE);
    LongBinaryOperator plain =
        (target, source) -> {
          try {
            try (var out = Files.newOutputStream(Path.of("/proc/self/fd/" + target), WRITE)) {
              Files.copy(from, out);
            }
            return 0;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        };
    way.run(
        () -> {
          try (var _ = sharing(plain)) {
            CopyOptions careful = required.withOverwrite(false);
            assertThrows(FileAlreadyExistsException.class, () -> way.fs("copy", from, to, careful));
            assertEquals("a longer one", Files.readString(to));
            way.fs("copy", from, to, required);
            assertEquals("new", Files.readString(to));
            way.fs("copy", from, dir.resolve("third"), careful);
          }
        });

    assertEquals(0100700, Fs.infoNow(dir.resolve("third")).mode());
    try (var files = Files.list(dir)) {
      assertEquals(3, files.count());
    }
  }

  // ---- removal

  /// The classic attack: between the look at a directory and the way into it, a link takes its place.
  @ParameterizedTest
  @EnumSource
  void aLinkThatTakesTheDirectorysPlaceIsNotFollowed(BothWays way, @TempDir Path outside)
      throws Exception {
    Path precious = Files.writeString(outside.resolve("precious"), "text");
    Path tree = Files.createDirectories(dir.resolve("tree"));
    Path victim = Files.createDirectories(tree.resolve("victim"));
    Files.createFile(victim.resolve("file"));
    Path away = dir.resolve("away");
    int[] calls = {0};
    Runnable swap =
        () -> {
          try {
            // The first directory is the tree itself, and "victim" is in its list then.
            if (++calls[0] == 1) {
              return;
            }
            if (Files.isDirectory(victim, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
              Files.move(victim, away);
              Files.createSymbolicLink(victim, outside);
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        };
    way.run(
        () -> {
          try (var _ = Faults.before("uv_fs_opendir", swap)) {
            assertThrows(IOException.class, () -> way.fs("removeTree", tree));
          }
        });

    assertEquals("text", Files.readString(precious));
    assertEquals(2, calls[0]);
  }

  @ParameterizedTest
  @EnumSource
  void aDeepTreeNeedsOneDescriptorAndNoLongPath(BothWays way) throws Exception {
    // 300 levels of names that make a path longer than the system takes.
    Process deep =
        new ProcessBuilder(
                "python3",
                "-c",
                """
                import os, sys
                os.chdir(sys.argv[1])
                for i in range(300):
                    os.mkdir("directory-number")
                    os.chdir("directory-number")
                    open("file", "w").close()
                """,
                Files.createDirectory(dir.resolve("deep")).toString())
            .redirectErrorStream(true)
            .start();
    assertTrue(deep.waitFor(240, TimeUnit.SECONDS), "package python3");
    assertEquals(0, deep.exitValue(), () -> "package python3: " + deep);
    way.run(() -> way.fs("removeTree", dir.resolve("deep")));

    assertFalse(Files.exists(dir.resolve("deep")));
  }

  @Test
  void twoCanRemoveTheSameTree() throws Exception {
    Path tree = dir.resolve("tree");
    for (int i = 0; i < 10; i++) {
      for (int j = 0; j < 10; j++) {
        Path leaf = Files.createDirectories(tree.resolve("a" + i).resolve("b" + j));
        Files.createFile(leaf.resolve("file"));
      }
    }
    Loop.run(
        () -> {
          List<Coroutine<?>> removers = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            removers.add(
                Coroutine.spawn(
                    () -> {
                      try {
                        Fs.removeTree(tree);
                      } catch (NoSuchFileException e) {
                        assertEquals(tree.toString(), e.getFile(), "the root is somebody's");
                      }
                    }));
          }
          for (Coroutine<?> each : removers) {
            each.await();
          }
        });

    assertFalse(Files.exists(tree));
  }

  @Test
  void aCancelledRemovalStops() throws Exception {
    Path tree = Files.createDirectory(dir.resolve("tree"));
    for (int i = 0; i < 50; i++) {
      Files.createFile(tree.resolve("file" + i));
    }
    Loop.run(
        () -> {
          Coroutine<?> remover = Coroutine.spawn(() -> Fs.removeTree(tree));
          Fs.info(tree);
          remover.cancel();
          assertThrows(CancellationException.class, remover::await);
        });

    assertTrue(Files.exists(tree));
  }

  @ParameterizedTest
  @EnumSource
  void failuresNameThePathThatTheCallerKnows(BothWays way) throws Exception {
    Path tree = Files.createDirectory(dir.resolve("tree"));
    Path sub = Files.createDirectory(tree.resolve("sub"));
    Path file = Files.createFile(sub.resolve("file"));
    way.run(
        () -> {
          assertEquals(file, subjectOfRemoval(way, "uv_fs_unlink"));
          assertTrue(Files.exists(file));
          assertEquals(sub, subjectOfRemoval(way, "uv_fs_rmdir"));
          assertFalse(Files.exists(file), "what could be removed before that is");
          assertTrue(Files.exists(sub));
          assertEquals(tree, subjectOfRemoval(way, "uv_fs_opendir"));
          assertEquals(tree, subjectOfRemoval(way, "uv_fs_lstat"));
          way.fs("removeTree", tree);
        });

    assertFalse(Files.exists(tree));
  }

  /// What the failure is about if that call fails.
  private Path subjectOfRemoval(BothWays way, String call) {
    try (var _ = failing(call, "EIO")) {
      UvException thrown =
          assertThrows(UvException.class, () -> way.fs("removeTree", dir.resolve("tree")));
      assertEquals("EIO", thrown.code());
      return Path.of(thrown.subject());
    }
  }

  /// Each call costs a system call, and most of them two changes of threads.
  @ParameterizedTest
  @EnumSource
  void wholeFilesCostNoMoreCallsThanTheyNeed(BothWays way) throws Exception {
    Path from = Files.writeString(dir.resolve("from"), "text");
    way.run(
        () -> {
          // A coroutine takes what is in memory without another thread.
          String reading = way == BothWays.AWAITED ? "preadv2" : "uv_fs_read";
          assertEquals(
              Map.of("uv_fs_open", 1, "uv_fs_fstat", 1, reading, 1, "uv_fs_close", 1),
              calls(() -> way.fs("readString", from)));
          try (var _ = failing("preadv2", "EAGAIN")) {
            assertEquals(
                Map.of("uv_fs_open", 1, "uv_fs_fstat", 1, "uv_fs_read", 1, "uv_fs_close", 1),
                libuvCalls(() -> way.fs("readString", from)));
          }
          assertEquals(
              Map.of("uv_fs_open", 2, "uv_fs_fstat", 2, "uv_fs_sendfile", 1, "uv_fs_close", 2),
              calls(() -> way.fs("copy", from, dir.resolve("copy"))));
          assertEquals(
              Map.of("uv_fs_open", 1, "uv_fs_fstat", 1, "uv_fs_write", 1, "uv_fs_close", 1),
              calls(() -> way.fs("writeString", dir.resolve("new"), "text")));
        });
  }

  private static Map<String, Integer> libuvCalls(Action action) throws Exception {
    Map<String, Integer> made = calls(action);
    made.keySet().removeIf(call -> !call.startsWith("uv_"));
    return made;
  }

  /// How often each call was made that was made at all.
  private static Map<String, Integer> calls(Action action) throws Exception {
    Map<String, CallCount> counts = new TreeMap<>();
    try {
      for (String call :
          List.of(
              "uv_fs_open",
              "uv_fs_fstat",
              "uv_fs_stat",
              "uv_fs_lstat",
              "uv_fs_read",
              "preadv2",
              "uv_fs_write",
              "uv_fs_sendfile",
              "uv_fs_ftruncate",
              "uv_fs_fchmod",
              "uv_fs_close")) {
        counts.put(call, new CallCount(call));
      }
      action.run();
    } finally {
      counts.values().forEach(CallCount::close);
    }
    Map<String, Integer> made = new TreeMap<>();
    counts.forEach((call, count) -> made.merge(call, count.get(), Integer::sum));
    made.values().removeIf(count -> count == 0);
    return made;
  }
}
