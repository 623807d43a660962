// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.UvException;
import dev.couv.loop.PathBytes;
import dev.couv.testing.Behaviour;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What `Fs` does with paths, in both ways.
class FsTest {
  @TempDir Path dir;

  @Test
  void everyFunctionHasItsTwin() {
    for (Class<?> type : List.of(Fs.class)) {
      for (Method method : type.getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers()) && !method.getName().endsWith("Now")) {
          assertTrue(
              Arrays.stream(type.getDeclaredMethods())
                  .anyMatch(
                      twin ->
                          twin.getName().equals(method.getName() + "Now")
                              && twin.getReturnType() == method.getReturnType()
                              && Arrays.equals(
                                  twin.getParameterTypes(), method.getParameterTypes())),
              method::toString);
        }
      }
    }
  }

  // ---- directories

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI03")
  void aListingHasEveryEntryOnceWithItsType(BothWays way) throws Exception {
    Files.createDirectory(dir.resolve("sub"));
    Files.createSymbolicLink(dir.resolve("link"), Path.of("nowhere"));
    for (int i = 0; i < 300; i++) {
      Files.createFile(dir.resolve("file" + i));
    }
    List<String> seen = new ArrayList<>();
    way.run(
        () -> {
          try (Listing entries = way.fs("list", dir)) {
            for (DirEntry entry : entries) {
              seen.add(entry.name() + " " + entry.type());
              assertEquals(dir.resolve(entry.name()), entry.path());
            }
          }
        });

    assertEquals(302, seen.size());
    assertEquals(302, new TreeSet<>(seen).size());
    assertTrue(
        seen.containsAll(List.of("sub DIRECTORY", "link SYMBOLIC_LINK", "file299 REGULAR_FILE")));
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI04")
  void aDirectoryThatIsThereCannotBeMade(BothWays way) throws Exception {
    way.run(
        () -> {
          FileAlreadyExistsException thrown =
              assertThrows(FileAlreadyExistsException.class, () -> way.fs("makeDir", dir));

          assertEquals(dir.toString(), thrown.getFile());
          assertEquals("EEXIST", assertInstanceOf(UvException.class, thrown.getCause()).code());
          way.fs("makeDirs", dir);
        });
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI05")
  void aDirectoryIsMadeSeenAndRemoved(BothWays way) throws Exception {
    Path made = dir.resolve("new");
    way.run(
        () -> {
          way.fs("makeDir", made, PosixFilePermissions.fromString("rwx------"));

          FileInfo info = way.fs("info", made);
          assertTrue(info.isDirectory());
          assertEquals("rwx------", PosixFilePermissions.toString(info.permissions()));
          way.fs("removeDir", made);
          assertFalse(way.<Boolean>fs("exists", made));
        });
  }

  @ParameterizedTest
  @EnumSource
  void missingDirectoriesAreMadeOnTheWay(BothWays way) throws Exception {
    Path deep = dir.resolve("a/b/c/d");
    way.run(() -> way.fs("makeDirs", deep));

    assertTrue(Files.isDirectory(deep));
    Files.createFile(dir.resolve("file"));
    way.run(
        () ->
            assertThrows(
                IOException.class, () -> way.fs("makeDirs", dir.resolve("file").resolve("x"))));
  }

  // ---- temporary ones

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI07")
  void aPrefixThatIsTooLongIsRefused(BothWays way) throws Exception {
    String prefix = "x".repeat(250);
    way.run(
        () -> {
          for (String name : List.of("makeTempDir", "makeTempFile", "openTempFile")) {
            IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> way.fs(name, prefix));
            assertTrue(thrown.getMessage().contains("too long"), thrown.getMessage());
          }
          assertThrows(IllegalArgumentException.class, () -> way.fs("makeTempDir", "a/b"));
        });
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI08")
  void temporaryDirectoriesAndFilesHaveNamesOfTheirOwn(BothWays way) throws Exception {
    way.run(
        () -> {
          Path first = way.fs("makeTempDir", dir, "temp");
          Path second = way.fs("makeTempDir", dir, "temp");
          Path file = way.fs("makeTempFile", dir, "temp");

          assertNotEquals(first, second);
          assertEquals(dir, file.getParent());
          assertTrue(file.getFileName().toString().matches("temp.{6}"), file.toString());
          assertTrue(way.<FileInfo>fs("info", first).isDirectory());
          FileInfo info = way.fs("info", file);
          assertEquals("rw-------", PosixFilePermissions.toString(info.permissions()));

          OpenFile open = way.fs("openTempFile", "couv-test-");
          try (open) {
            way.file(open, "write", java.nio.ByteBuffer.wrap("kept".getBytes()));
            assertEquals("kept", Files.readString(open.path()));
          } finally {
            Files.delete(open.path());
          }
        });
  }

  // ---- links

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI09")
  void linksFailWhereTheySaySo(BothWays way) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    Path missing = dir.resolve("missing");
    way.run(
        () -> {
          assertThrows(
              NoSuchFileException.class, () -> way.fs("link", missing, dir.resolve("made")));
          var exists =
              assertThrows(FileAlreadyExistsException.class, () -> way.fs("link", file, file));
          assertEquals(file.toString(), exists.getFile());
          assertEquals(file.toString(), exists.getOtherFile());
          assertThrows(FileAlreadyExistsException.class, () -> way.fs("symlink", missing, file));

          way.fs("link", file, dir.resolve("second"));
          assertEquals(2, way.<FileInfo>fs("info", file).links());
        });
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI11")
  void aSymbolicLinkAndItsTargetAreToldApart(BothWays way) throws Exception {
    Path link = dir.resolve("link");
    Files.createFile(dir.resolve("target"));
    way.run(
        () -> {
          way.fs("symlink", Path.of("target"), link);

          assertTrue(way.<FileInfo>fs("info", link).isRegularFile());
          assertTrue(way.<FileInfo>fs("infoOfLink", link).isSymbolicLink());
          assertEquals(Path.of("target"), way.fs("readLink", link));
          assertEquals(dir.toRealPath().resolve("target"), way.fs("realPath", link));
        });
  }

  // ---- moving, copying, removing

  @ParameterizedTest
  @EnumSource
  @Behaviour({"FI12", "FI13"})
  void filesAndDirectoriesAreMoved(BothWays way) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    Path sub = Files.createDirectory(dir.resolve("sub"));
    way.run(
        () -> {
          assertThrows(
              NoSuchFileException.class,
              () -> way.fs("move", dir.resolve("missing"), dir.resolve("x")));
          UvException notDirectory =
              assertThrows(UvException.class, () -> way.fs("move", sub, file));
          assertEquals("ENOTDIR", notDirectory.code());

          way.fs("move", file, sub.resolve("moved"));
          way.fs("move", sub, dir.resolve("other"));
          assertEquals("text", Files.readString(dir.resolve("other/moved")));
          way.fs("move", dir.resolve("other"), sub);
        });
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI15")
  void aCopyReplacesWhatIsThereUnlessItMustNot(BothWays way) throws Exception {
    Path from = Files.writeString(dir.resolve("from"), "new text");
    Path to = Files.writeString(dir.resolve("to"), "old and longer text");
    way.run(
        () -> {
          way.fs("copy", from, to);
          assertEquals("new text", Files.readString(to));

          CopyOptions careful = CopyOptions.DEFAULT.withOverwrite(false);
          assertThrows(FileAlreadyExistsException.class, () -> way.fs("copy", from, to, careful));
          assertThrows(
              FileAlreadyExistsException.class,
              () -> way.fs("copy", from, to, careful.withProgress((bytes, of) -> {})));
        });
  }

  @ParameterizedTest
  @EnumSource
  void aLargeCopyTellsHowFarItIs(BothWays way) throws Exception {
    byte[] bytes = new byte[20 << 20];
    new java.util.Random(1).nextBytes(bytes);
    Path from = Files.write(dir.resolve("from"), bytes);
    Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("rwxr-x--x"));
    Path to = dir.resolve("to");
    List<Long> told = new ArrayList<>();
    way.run(
        () ->
            way.fs(
                "copy",
                from,
                to,
                CopyOptions.DEFAULT
                    .withSharing(CopyOptions.Sharing.NEVER)
                    .withProgress(
                        (done, of) -> {
                          assertEquals(bytes.length, of);
                          told.add(done);
                        })));

    assertTrue(told.size() >= 3, told::toString);
    assertEquals(new ArrayList<>(new TreeSet<>(told)), told);
    assertEquals(bytes.length, told.getLast());
    assertArrayEquals(bytes, Files.readAllBytes(to));
    assertEquals(Files.getPosixFilePermissions(from), Files.getPosixFilePermissions(to));
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI16")
  void removalFailsWhereItSaysSo(BothWays way) throws Exception {
    Path sub = Files.createDirectory(dir.resolve("sub"));
    Files.createFile(sub.resolve("file"));
    way.run(
        () -> {
          assertThrows(NoSuchFileException.class, () -> way.fs("remove", dir.resolve("missing")));
          assertThrows(IOException.class, () -> way.fs("remove", sub));
          assertThrows(DirectoryNotEmptyException.class, () -> way.fs("removeDir", sub));

          way.fs("remove", sub.resolve("file"));
          way.fs("removeDir", sub);
        });

    assertFalse(Files.exists(sub));
  }

  @ParameterizedTest
  @EnumSource
  void aTreeIsRemovedAndItsLinksAreNotFollowed(BothWays way) throws Exception {
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Files.writeString(outside.resolve("precious"), "kept");
    Path tree = Files.createDirectories(dir.resolve("tree/a/b"));
    Files.createSymbolicLink(tree.resolve("link"), outside);
    for (int i = 0; i < 200; i++) {
      Files.createFile(tree.resolve("file" + i));
    }
    way.run(() -> way.fs("removeTree", dir.resolve("tree")));

    assertFalse(Files.exists(dir.resolve("tree")));
    assertEquals("kept", Files.readString(outside.resolve("precious")));
    way.run(
        () ->
            assertThrows(
                NoSuchFileException.class, () -> way.fs("removeTree", dir.resolve("tree"))));
  }

  // ---- facts

  @ParameterizedTest
  @EnumSource
  void whetherThereIsAFileIsNoFailure(BothWays way) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    Files.createSymbolicLink(dir.resolve("dangling"), Path.of("nowhere"));
    way.run(
        () -> {
          assertTrue(way.<Boolean>fs("exists", file));
          assertFalse(way.<Boolean>fs("exists", dir.resolve("missing")));
          assertFalse(way.<Boolean>fs("exists", dir.resolve("dangling")));
          assertFalse(way.<Boolean>fs("exists", file.resolve("below")));
        });
  }

  @ParameterizedTest
  @EnumSource
  void whatMayBeDoneIsNoFailureEither(BothWays way) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    way.run(
        () -> {
          assertTrue(way.<Boolean>fs("access", file, AccessMode.READ, AccessMode.WRITE));
          assertFalse(way.<Boolean>fs("access", file, AccessMode.EXECUTE));
          assertThrows(
              NoSuchFileException.class,
              () -> way.fs("access", dir.resolve("missing"), AccessMode.READ));
        });
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour("FI35")
  void permissionsAreSetAsBitsAndAsASet(BothWays way) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    way.run(
        () -> {
          for (int mode : new int[] {0, 0777, 0640, 01755, 06711}) {
            way.fs("chmod", file, mode);
            assertEquals(mode, way.<FileInfo>fs("info", file).mode() & 07777);
          }
          Set<PosixFilePermission> some = PosixFilePermissions.fromString("r-x-w---x");
          way.fs("chmod", file, some);
          assertEquals(some, Files.getPosixFilePermissions(file));
          assertThrows(IllegalArgumentException.class, () -> way.fs("chmod", file, 0100644));
        });
  }

  @ParameterizedTest
  @EnumSource
  @Behaviour({"FI32", "FI33"})
  void timesAreSetToTheNanosecond(BothWays way) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), file);
    Instant accessed = Instant.parse("2001-02-03T04:05:06.123456789Z");
    Instant modified = Instant.parse("1969-12-31T23:59:58.987654321Z");
    way.run(
        () -> {
          way.fs("touch", link, accessed, modified);
          FileInfo info = way.fs("info", file);
          assertEquals(accessed, info.accessed());
          assertEquals(modified, info.modified());

          way.fs("touch", file, modified, null);
          info = way.fs("info", file);
          assertEquals(modified, info.accessed());
          assertEquals(modified, info.modified());

          way.fs("touchLink", link, accessed, accessed);
          assertEquals(accessed, way.<FileInfo>fs("infoOfLink", link).modified());
          assertEquals(modified, way.<FileInfo>fs("info", link).modified());
          assertThrows(
              NoSuchFileException.class,
              () -> way.fs("touch", dir.resolve("missing"), accessed, accessed));
        });
  }

  @ParameterizedTest
  @EnumSource
  void ownersAreLeftAsTheyAreByMinusOne(BothWays way) throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), file);
    way.run(
        () -> {
          FileInfo before = way.fs("info", file);
          way.fs("chown", file, -1, -1);
          way.fs("chownOfLink", link, -1, -1);
          FileInfo after = way.fs("info", file);
          assertEquals(before.uid(), after.uid());
          assertEquals(before.gid(), after.gid());
        });
  }

  @ParameterizedTest
  @EnumSource
  void theFileSystemTellsItsSize(BothWays way) throws Exception {
    way.run(
        () -> {
          FileSystemInfo info = way.fs("fileSystem", dir);
          assertEquals(Files.getFileStore(dir).getTotalSpace(), info.totalBytes());
          assertTrue(info.availableBytes() <= info.totalBytes());
        });
  }

  // ---- whole files

  @ParameterizedTest
  @EnumSource
  void textAndBytesAreReadAndWritten(BothWays way) throws Exception {
    Path file = dir.resolve("file");
    way.run(
        () -> {
          way.fs("writeString", file, "grüße\n");
          assertEquals("grüße\n", way.fs("readString", file));
          way.fs("writeBytes", file, new byte[] {1, 2}, StandardOpenOption.APPEND);
          byte[] all = way.fs("readBytes", file);
          assertArrayEquals(Files.readAllBytes(file), all);
          way.fs("writeBytes", file, new byte[] {(byte) 0xFF});
          CharacterCodingException noText =
              assertThrows(CharacterCodingException.class, () -> way.fs("readString", file));
          assertEquals(file + " is not UTF-8: at byte 0", noText.getMessage());
          way.fs("writeBytes", file, new byte[0]);
          assertEquals("", way.fs("readString", file));
        });
  }

  @ParameterizedTest
  @EnumSource
  void filesOfUnknownSizeAreReadWhole(BothWays way) throws Exception {
    way.run(
        () -> {
          assertTrue(
              way.<String>fs("readString", Path.of("/proc/self/status")).startsWith("Name:"));
          String cpus = way.fs("readString", Path.of("/proc/cpuinfo"));
          assertTrue(cpus.endsWith("\n") && cpus.contains("processor"));
        });
  }

  @ParameterizedTest
  @EnumSource
  void linesAreReadOneByOne(BothWays way) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "one\r\ntwo\n\nfour");
    List<String> seen = new ArrayList<>();
    way.run(
        () -> {
          try (FileLines lines = way.fs("lines", file)) {
            lines.forEach(seen::add);
          }
        });

    assertEquals(List.of("one", "two", "", "four"), seen);
  }

  @ParameterizedTest
  @EnumSource
  void aLineMayBeLongAndOnlyItsEndEndsIt(BothWays way) throws Exception {
    String longest = "x".repeat(3 << 20);
    Path file = Files.writeString(dir.resolve("file"), "a\rb\r\n" + longest + "\nlast\r");
    List<String> seen = new ArrayList<>();
    way.run(
        () -> {
          try (FileLines lines = way.fs("lines", file)) {
            lines.forEach(seen::add);
          }
        });

    assertEquals(List.of("a\rb", longest, "last\r"), seen);
  }

  // ---- names

  @ParameterizedTest
  @EnumSource
  void aNameThatIsNoTextIsUsedAsItIs(BothWays way) throws Exception {
    Path odd = PathBytes.path("odd\u00ff".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    Path file = dir.resolve(odd);
    way.run(
        () -> {
          way.fs("writeString", file, "text");
          assertEquals("text", Files.readString(file));
          try (Listing entries = way.fs("list", dir)) {
            DirEntry only = entries.next();
            assertEquals(file, only.path());
            assertEquals("text", way.fs("readString", only.path()));
          }
          way.fs("remove", file);
        });
  }

  @ParameterizedTest
  @EnumSource
  void whatALinkSaysStaysAsItIsAlsoIfItIsNoText(BothWays way) throws Exception {
    Path odd = PathBytes.path("odd\u00ff".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    Path link = dir.resolve("link");
    way.run(
        () -> {
          way.fs("symlink", odd, link);
          assertEquals(odd, way.fs("readLink", link));
        });

    assertEquals(odd, Files.readSymbolicLink(link));
  }

  @Test
  void aPathOfAnotherFileSystemIsRefused() throws Exception {
    Path zip = dir.resolve("a.zip");
    try (var other =
        java.nio.file.FileSystems.newFileSystem(zip, java.util.Map.of("create", "true"))) {
      assertThrows(IllegalArgumentException.class, () -> Fs.infoNow(other.getPath("/inside")));
    }
  }

  @Test
  void awaitingOutsideOfACoroutineIsRefused() {
    IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> Fs.info(dir));

    assertTrue(thrown.getMessage().contains("coroutine"), thrown.getMessage());
  }

  @Test
  void outsideOfACoroutineItIsTheCallThatComplains() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    for (Executable call :
        new Executable[] {
          () -> Fs.touch(file, null, Instant.EPOCH), () -> Fs.touchLink(file, null, Instant.EPOCH)
        }) {
      var misuse = assertThrows(IllegalStateException.class, call);
      assertTrue(misuse.getMessage().startsWith("Fs.touch"), misuse.getMessage());
    }
  }
}
