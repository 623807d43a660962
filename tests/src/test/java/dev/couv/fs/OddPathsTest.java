// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Faults.failing;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.FreshJvm;
import dev.couv.error.UvException;
import dev.couv.loop.PathBytes;
import dev.couv.testing.InLoop;
import dev.couv.uv.Memory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Names that are no text, links that lead in circles, paths that end in dots, trees that are very deep, and
/// buffers that take nothing.
class OddPathsTest {
  @TempDir Path dir;

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytesOf(Path path) {
    long address = PathBytes.allocate(path);
    try {
      return PathBytes.bytesAt(address);
    } finally {
      Memory.free(address);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "caf\u00e9",
        "../caf\u00e9",
        "./caf\u00e9",
        "a/../caf\u00e9",
        "../../x/\u00ff/..",
        "\u00ff/.",
        "../\u00e9/./../b",
        "/caf\u00e9",
        "/../caf\u00e9/..",
        "%2e/\u00e9 #?%"
      })
  void noByteOfAPathIsLost(String text) {
    byte[] bytes = latin1(text);

    assertArrayEquals(bytes, bytesOf(PathBytes.path(bytes)));
  }

  /// As everywhere in the JDK.
  @ParameterizedTest
  @ValueSource(strings = {"//caf\u00e9", "a//caf\u00e9/", "caf\u00e9//b", "///caf\u00e9//"})
  void slashesThatSayNothingAreDropped(String text) {
    String expected = text.replaceAll("/+", "/").replaceAll("(.)/$", "$1");

    assertArrayEquals(latin1(expected), bytesOf(PathBytes.path(latin1(text))));
  }

  @ParameterizedTest
  @EnumSource
  void aLinkIsReadAsItIsWritten(BothWays way) throws Exception {
    Path link = dir.resolve("link");
    for (String text :
        List.of("../caf\u00e9", "./caf\u00e9", "a/../caf\u00e9", "../../\u00ff/..")) {
      way.run(
          () -> {
            way.fs("symlink", PathBytes.path(latin1(text)), link);
            assertArrayEquals(latin1(text), bytesOf(way.<Path>fs("readLink", link)));
            way.fs("remove", link);
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsAtALinkThatLeadsInACircle(BothWays way) throws Exception {
    Path one = dir.resolve("one");
    Files.createSymbolicLink(one, Files.createSymbolicLink(dir.resolve("two"), one));
    way.run(
        () -> {
          assertFalse(way.<Boolean>fs("exists", one));
          assertFalse(way.<Boolean>fs("exists", one.resolve("below")));
          assertFalse(way.<Boolean>fs("exists", dir.resolve("x".repeat(300))));
        });
  }

  @ParameterizedTest
  @EnumSource
  void whatCannotBeRemovedIsNotEmptied(BothWays way) throws Exception {
    Path file = Files.writeString(Files.createDirectory(dir.resolve("x")).resolve("file"), "text");
    way.run(
        () -> {
          for (String path : List.of("x/.", "x/..", ".", "..", "x/../.")) {
            Path refused = dir.resolve(path);
            UvException thrown =
                assertThrows(UvException.class, () -> way.fs("removeTree", refused));
            assertEquals("EINVAL", thrown.code());
            assertEquals(refused.toString(), thrown.subject());
          }
        });

    assertTrue(Files.exists(file));
  }

  /// Nothing could be done about it if it were not refused, so the calls that it would be done by fail.
  @ParameterizedTest
  @ValueSource(strings = {"/", "", ".", ".."})
  void whatEverythingIsInIsNotEmptied(String path) throws Exception {
    try (var _ = failing("uv_fs_unlink", "EIO");
        var _ = failing("uv_fs_rmdir", "EIO");
        var _ = failing("uv_fs_opendir", "EIO")) {
      for (BothWays way : BothWays.values()) {
        way.run(
            () -> {
              UvException thrown =
                  assertThrows(UvException.class, () -> way.fs("removeTree", Path.of(path)));
              assertEquals("EINVAL", thrown.code());
            });
      }
    }
  }

  /// Which must not cost memory, or time, that grows with the square of the depth.
  @ParameterizedTest
  @Tag("jvm")
  @EnumSource
  void aVeryDeepTreeIsRemovedInLittleMemory(BothWays way) throws Exception {
    Path deep = Files.createDirectory(dir.resolve("deep"));
    Process making =
        new ProcessBuilder(
                "python3",
                "-c",
                """
                import os, sys
                os.chdir(sys.argv[1])
                for i in range(6000):
                    os.mkdir("directory")
                    os.chdir("directory")
                """,
                deep.toString())
            .redirectErrorStream(true)
            .start();
    assertTrue(making.waitFor(240, TimeUnit.SECONDS), "package python3");
    assertEquals(0, making.exitValue(), "package python3");
    try {
      assertEquals(
          List.of("removed"),
          FreshJvm.run(Removing.class, "-Xmx48m", "-Ddeep=" + deep, "-Dway=" + way));
      assertFalse(Files.exists(deep));
    } finally {
      new ProcessBuilder("rm", "-rf", deep.toString()).start().waitFor();
    }
  }

  static final class Removing {
    public static void main(String[] args) throws Exception {
      BothWays way = BothWays.valueOf(System.getProperty("way"));
      way.run(() -> way.fs("removeTree", Path.of(System.getProperty("deep"))));
      System.out.println("removed");
    }
  }

  @InLoop
  @Test
  void aReadOnlyBufferIsRefusedAlsoIfBytesAreAtHand() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "text");
    ByteBuffer readOnly = ByteBuffer.allocate(4).asReadOnlyBuffer();
    try (OpenFile open = Fs.open(file)) {
      assertThrows(IllegalArgumentException.class, () -> open.read(readOnly));
      assertThrows(IllegalArgumentException.class, () -> open.read(readOnly, 0));
      open.unread(ByteBuffer.wrap("kept".getBytes()));
      assertThrows(IllegalArgumentException.class, () -> open.read(readOnly));
      assertThrows(IllegalArgumentException.class, () -> open.readNow(readOnly));
      assertThrows(IllegalArgumentException.class, () -> open.readNow(readOnly, 0));
      ByteBuffer into = ByteBuffer.allocate(10);
      assertEquals(4, open.read(into));
      assertEquals("kept", new String(into.array(), 0, 4));
    }
  }
}
