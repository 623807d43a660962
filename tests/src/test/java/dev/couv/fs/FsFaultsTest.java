// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Faults.failing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.testing.Behaviour;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Each system call fails once, and the disk, the permissions and the descriptors run out. What is left
/// behind, the leak check sees.
class FsFaultsTest {
  @TempDir Path dir;

  @FunctionalInterface
  private interface Use {
    void of(BothWays way, Path file) throws Exception;
  }

  private static Arguments use(String call, String named, Use use) {
    return Arguments.of(call, named, use);
  }

  private static Use open(Use use) {
    return (way, file) -> {
      OpenFile open = way.fs("open", file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      OPEN.set(open);
      try (open) {
        use.of(way, file);
      }
    };
  }

  private static final ThreadLocal<OpenFile> OPEN = new ThreadLocal<>();

  private static <T> T on(BothWays way, String name, Object... arguments) throws Exception {
    return way.file(OPEN.get(), name, arguments);
  }

  private static ByteBuffer bytes() {
    return ByteBuffer.wrap("bytes".getBytes());
  }

  /// As if the system did not have it in memory.
  private static void readFromDisk(BothWays way, Path file) throws Exception {
    try (var _ = failing("preadv2", "EAGAIN")) {
      way.fs("readString", file);
    }
  }

  static List<Arguments> everyCall() {
    Instant time = Instant.ofEpochSecond(1);
    return List.of(
        use("uv_fs_open", "open", (way, file) -> way.fs("open", file)),
        use("uv_fs_stat", "stat", (way, file) -> way.fs("info", file)),
        use("uv_fs_lstat", "lstat", (way, file) -> way.fs("infoOfLink", file)),
        use("uv_fs_statfs", "statfs", (way, file) -> way.fs("fileSystem", file)),
        use("uv_fs_access", "access", (way, file) -> way.fs("exists", file)),
        use("uv_fs_opendir", "opendir", (way, file) -> way.fs("list", file.getParent())),
        use("uv_fs_readdir", "readdir", (way, file) -> way.fs("list", file.getParent())),
        use("uv_fs_mkdir", "mkdir", (way, file) -> way.fs("makeDir", file.resolveSibling("d"))),
        use(
            "uv_fs_mkdtemp",
            "mkdtemp",
            (way, file) -> way.fs("makeTempDir", file.getParent(), "t")),
        use(
            "uv_fs_mkstemp",
            "mkstemp",
            (way, file) -> way.fs("makeTempFile", file.getParent(), "t")),
        use("uv_fs_unlink", "unlink", (way, file) -> way.fs("remove", file)),
        use("uv_fs_rmdir", "rmdir", (way, file) -> way.fs("removeDir", file)),
        use("uv_fs_rename", "rename", (way, file) -> way.fs("move", file, file)),
        use("uv_fs_link", "link", (way, file) -> way.fs("link", file, file)),
        use("uv_fs_symlink", "symlink", (way, file) -> way.fs("symlink", file, file)),
        use("uv_fs_readlink", "readlink", (way, file) -> way.fs("readLink", file)),
        use("uv_fs_realpath", "realpath", (way, file) -> way.fs("realPath", file)),
        use("uv_fs_chmod", "chmod", (way, file) -> way.fs("chmod", file, 0644)),
        use("uv_fs_chown", "chown", (way, file) -> way.fs("chown", file, -1, -1)),
        use("uv_fs_lchown", "lchown", (way, file) -> way.fs("chownOfLink", file, -1, -1)),
        use("utimensat", "touch", (way, file) -> way.fs("touch", file, time, time)),
        use("futimens", "touch", open((way, file) -> on(way, "touch", time, time))),
        use(
            "uv_fs_sendfile",
            "sendfile",
            (way, file) -> way.fs("copy", file, file.resolveSibling("c"))),
        use("uv_fs_read", "read", (way, file) -> readFromDisk(way, file)),
        use("uv_fs_read", "read", open((way, file) -> on(way, "read", bytes()))),
        use("uv_fs_write", "write", open((way, file) -> on(way, "write", bytes()))),
        use("uv_fs_fstat", "fstat", (way, file) -> way.fs("open", file)),
        use("uv_fs_fsync", "fsync", open((way, file) -> on(way, "flush"))),
        use("uv_fs_fdatasync", "fdatasync", open((way, file) -> on(way, "flushData"))),
        use("uv_fs_ftruncate", "ftruncate", open((way, file) -> on(way, "resize", 1L))),
        use("uv_fs_fchmod", "fchmod", open((way, file) -> on(way, "chmod", 0644))),
        use("uv_fs_fchown", "fchown", open((way, file) -> on(way, "chown", -1, -1))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("everyCall")
  void aCallThatFailsIsToldByNameAndLeavesNothing(String call, String named, Use use)
      throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    for (BothWays way : BothWays.values()) {
      way.run(
          () -> {
            try (var _ = failing(call, "EIO")) {
              UvException thrown = assertThrows(UvException.class, () -> use.of(way, file));
              assertEquals("EIO", thrown.code());
              assertEquals(named, thrown.call());
              assertTrue(thrown.subject().startsWith(dir.toString()), thrown::subject);
            }
          });
    }

    assertEquals("text", Files.readString(file));
    try (var left = Files.list(dir)) {
      assertEquals(List.of(file), left.toList());
    }
  }

  /// As file systems do that write later, and notice then that the disk is full.
  @ParameterizedTest
  @EnumSource
  void whatCannotBeKeptWhenItIsClosedIsToldByWhatWritesAWholeFile(BothWays way) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    Path copy = dir.resolve("copy");
    List<Use> uses =
        List.of(
            (each, path) -> each.fs("writeString", path, "new"),
            (each, path) -> each.fs("copy", file, path));
    way.run(
        () -> {
          int code = UvErrors.code("ENOSPC");
          for (Use use : uses) {
            try (var _ =
                NativeCalls.replace(
                    "uv_fs_close", NativeCalls.failingAfterwards("uv_fs_close", code))) {
              UvException thrown = assertThrows(UvException.class, () -> use.of(way, copy));
              assertEquals("ENOSPC", thrown.code());
              assertEquals("close", thrown.call());
              assertEquals(copy.toString(), thrown.subject());
            }
          }
          assertFalse(Files.exists(copy), "half a copy looks like a whole one");
        });
  }

  @ParameterizedTest
  @EnumSource
  void closingTellsOfNoFailure(BothWays way) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    int code = UvErrors.code("EIO");
    way.run(
        () -> {
          OpenFile open = way.fs("open", file);
          try (var _ =
                  NativeCalls.replace(
                      "uv_fs_close", NativeCalls.failingAfterwards("uv_fs_close", code));
              var _ =
                  NativeCalls.replace(
                      "uv_fs_closedir", NativeCalls.failingAfterwards("uv_fs_closedir", code))) {
            Listing entries = way.fs("list", dir);
            assertEquals("file", entries.next().name());
            open.close();
            entries.close();
          }
          assertFalse(open.isOpen());
          assertEquals("text", way.fs("readString", file));
        });
  }

  @Test
  void aFileWhosePlaceTheSystemDoesNotTakeStaysUsable() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    int code = UvErrors.code("EIO");
    try (OpenFile open = Fs.openNow(file)) {
      open.readNow(ByteBuffer.allocate(2));
      try (var _ = NativeCalls.replace("lseek", NativeCalls.failing("lseek", code))) {
        UvException thrown = assertThrows(UvException.class, open::share);
        assertEquals("lseek " + file, thrown.call() + " " + thrown.subject());
      }
      ByteBuffer rest = ByteBuffer.allocate(4);
      open.readNow(rest);
      assertEquals("xt", new String(rest.array(), 0, rest.position()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aListingThatFailsInTheMiddleIsClosedAllTheSame(BothWays way) throws Exception {
    for (int i = 0; i < 1500; i++) {
      Files.createFile(dir.resolve("file" + i));
    }
    way.run(
        () -> {
          try (var _ = failing("uv_fs_readdir", "EIO", 2)) {
            Listing entries = way.fs("list", dir);
            int count = 0;
            try (entries) {
              while (entries.next() != null) {
                count++;
              }
            } catch (UvException e) {
              assertEquals("readdir", e.call());
              assertEquals(dir.toString(), e.subject());
            }
            assertTrue(count > 0 && count < 1500, "some came before");
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void aFullDiskTellsHowMuchWasWritten(BothWays way) throws Exception {
    way.run(
        () -> {
          OpenFile full = way.fs("open", Path.of("/dev/full"), StandardOpenOption.WRITE);
          try (full) {
            ByteBuffer text = bytes();
            UvException thrown =
                assertThrows(UvException.class, () -> way.file(full, "write", text));
            assertEquals("ENOSPC", thrown.code());
            assertEquals(0, text.position());
          }
        });
  }

  @Test
  @Tag("jvm")
  void tooManyOpenFilesIsToldAndPasses() throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 200; exec \"$@\"", "sh"));
    command.addAll(java());
    command.addAll(List.of(Hungry.class.getName(), dir.toString()));

    assertEquals(List.of("EMFILE open", "EMFILE opendir", "EMFILE watch", "fine"), run(command));
  }

  /// Opens until it cannot; then closes all and goes on.
  static final class Hungry {
    private Hungry() {}

    public static void main(String[] arguments) throws Exception {
      Path dir = Path.of(arguments[0]);
      Path file = Files.createFile(dir.resolve("file"));
      try (var _ = Fs.listNow(dir)) {
        Fs.readBytesNow(file); // classes are loaded from open files, too
        Fs.openNow(file.resolve("no directory")).close();
      } catch (UvException expected) {
        System.err.println(expected);
      }
      Loop.run(
          () -> {
            Watch.path(dir).close();
            List<OpenFile> open = new ArrayList<>();
            try {
              while (true) {
                open.add(Fs.open(file));
              }
            } catch (UvException e) {
              System.out.println(e.code() + " " + e.call());
            }
            try (var _ = Fs.list(dir)) {
              System.out.println("listed");
            } catch (UvException e) {
              System.out.println(e.code() + " " + e.call());
            }
            try (var _ = Watch.path(dir)) {
              System.out.println("watched");
            } catch (UvException e) {
              System.out.println(e.code() + " " + e.call());
            }
            open.forEach(OpenFile::close);
            Fs.open(file).close();
            System.out.println("fine");
          });
    }
  }

  /// Root may do everything, so another user tries.
  @Test
  @Tag("jvm")
  void whatIsNotAllowedIsTold() throws Exception {
    Path closed = Files.createDirectory(dir.resolve("closed"));
    Files.createFile(closed.resolve("file"));
    Path secret = Files.createFile(dir.resolve("secret"));
    assertEquals(
        List.of(),
        run(
            List.of(
                "sh",
                "-c",
                "chmod 755 \"$1\" && chmod 700 \"$1/closed\" && chmod 600 \"$1/secret\"",
                "sh",
                dir.toString())));
    boolean root = "root".equals(System.getProperty("user.name"));
    if (!root) {
      Files.setPosixFilePermissions(secret, java.util.Set.of());
      Files.setPosixFilePermissions(closed, java.util.Set.of());
    }
    List<String> command = new ArrayList<>();
    if (root) {
      command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    }
    command.addAll(java());
    command.addAll(List.of(Nobody.class.getName(), dir.toString()));

    List<String> printed = run(command);

    assertEquals(
        List.of(
            "AccessDeniedException " + secret,
            "AccessDeniedException " + closed,
            "AccessDeniedException " + closed.resolve("file"),
            "AccessDeniedException " + closed,
            "false"),
        printed);
    assertTrue(Files.exists(secret));
  }

  /// Tries what is not allowed.
  static final class Nobody {
    private Nobody() {}

    public static void main(String[] arguments) throws Exception {
      Path dir = Path.of(arguments[0]);
      Loop.run(
          () -> {
            tell(() -> Fs.open(dir.resolve("secret")).close());
            tell(() -> Fs.list(dir.resolve("closed")).close());
            tell(() -> Fs.info(dir.resolve("closed/file")));
            tell(() -> Watch.path(dir.resolve("closed")).close());
            System.out.println(Fs.access(dir.resolve("secret"), java.nio.file.AccessMode.READ));
          });
    }

    private static void tell(dev.couv.coro.Action action) throws Exception {
      try {
        action.run();
        System.out.println("allowed");
      } catch (java.nio.file.FileSystemException e) {
        System.out.println(e.getClass().getSimpleName() + " " + e.getFile());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTemporaryFileThatCannotBeUsedIsRemoved(BothWays way) throws Exception {
    String prefix = "couv-" + java.util.UUID.randomUUID();
    way.run(
        () -> {
          try (var _ = failing("uv_fs_fstat", "EIO")) {
            assertThrows(UvException.class, () -> way.fs("openTempFile", prefix));
          }
        });

    String[] left =
        new java.io.File(System.getProperty("java.io.tmpdir"))
            .list((folder, name) -> name.startsWith(prefix));
    assertEquals(0, left.length);
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatIsRemovedWhileItIsReadIsReadToItsEnd(BothWays way) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "hello, world");
    way.run(
        () -> {
          OpenFile open = way.fs("open", file);
          try (open) {
            ByteBuffer part = ByteBuffer.allocate(7);
            way.file(open, "read", part);
            Files.delete(file);
            part.clear();
            assertEquals(5, (int) way.file(open, "read", part));
            part.clear();
            assertEquals(-1, (int) way.file(open, "read", part));
            FileInfo info = way.file(open, "info");
            assertEquals(0, info.links());
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void aDirectoryThatIsMovedOrRemovedWhileItIsListedIsListedToItsEnd(BothWays way)
      throws Exception {
    Path from = Files.createDirectory(dir.resolve("from"));
    for (int i = 0; i < 300; i++) {
      Files.createFile(from.resolve("file" + i));
    }
    way.run(
        () -> {
          Listing entries = way.fs("list", from);
          try (entries) {
            int count = 0;
            for (DirEntry entry; (entry = entries.next()) != null; count++) {
              if (count == 0) {
                Files.move(from, dir.resolve("to"));
              }
              assertEquals(from, entry.path().getParent());
            }
            assertEquals(300, count);
          }
          Listing gone = way.fs("list", dir.resolve("to"));
          try (gone) {
            Fs.removeTreeNow(dir.resolve("to"));
            while (gone.next() != null) {
              assertFalse(gone.isClosed());
            }
          }
          assertFalse(Files.exists(from));
        });
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour({"FI01", "FI19"})
  void unknownOptionsAndPermissionsAreRefusedByName(BothWays way) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    enum Strange implements OpenOption {
      STRANGE
    }

    way.run(
        () -> {
          var option =
              assertThrows(
                  IllegalArgumentException.class, () -> way.fs("open", file, Strange.STRANGE));
          assertTrue(option.getMessage().contains("STRANGE"), option::getMessage);
          var bits =
              assertThrows(IllegalArgumentException.class, () -> way.fs("chmod", file, 0x10000));
          assertTrue(bits.getMessage().contains("200000"), bits::getMessage);
        });
  }

  private static List<String> java() {
    List<String> command = new ArrayList<>(FreshJvm.java());
    if ("loop-scheduled".equals(System.getProperty("couv.test.engine"))) {
      command.addAll(List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED"));
    }
    String classPath =
        Stream.of(Loop.class, FsFaultsTest.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));
    command.addAll(List.of("-cp", classPath));
    return command;
  }

  private static List<String> run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      assertTrue(process.waitFor(240, TimeUnit.SECONDS), () -> "it hangs: " + command);
      return new String(process.getInputStream().readAllBytes()).lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
