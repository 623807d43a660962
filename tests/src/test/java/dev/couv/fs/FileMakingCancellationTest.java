// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Faults.failing;
import static dev.couv.fs.Faults.inside;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a call makes whose caller has been cancelled while a thread was inside it. That a thread is inside
/// is made certain by refusing to revoke it, as libuv does then.
class FileMakingCancellationTest {
  @TempDir Path dir;

  @FunctionalInterface
  interface Making {
    void in(Path dir) throws Exception;
  }

  static Stream<Arguments> makings() {
    return Stream.of(
        making("open", d -> Fs.open(d.resolve("new"), WRITE, StandardOpenOption.CREATE_NEW)),
        making(
            "writeString",
            d -> Fs.writeString(d.resolve("new"), "text", StandardOpenOption.CREATE_NEW)),
        making("copy", d -> Fs.copy(d.resolve("there"), d.resolve("new"))),
        making(
            "copy without overwriting",
            d -> {
              CopyOptions careful = CopyOptions.DEFAULT.withOverwrite(false);
              Fs.copy(d.resolve("there"), d.resolve("new"), careful);
            }),
        making("makeDir", d -> Fs.makeDir(d.resolve("new"))),
        making("makeTempDir", d -> Fs.makeTempDir(d, "new")),
        making("makeTempFile", d -> Fs.makeTempFile(d, "new")),
        making("link", d -> Fs.link(d.resolve("there"), d.resolve("new"))),
        making("symlink", d -> Fs.symlink(Path.of("text"), d.resolve("new"))));
  }

  private static final StandardOpenOption WRITE = StandardOpenOption.WRITE;

  private static Arguments making(String name, Making making) {
    return Arguments.of(name, making);
  }

  /// Cancels it after that many turns. Whether it was in time.
  private static boolean isCancelled(int turns, Action body) throws Exception {
    Coroutine<?> coroutine = Coroutine.spawn(body);
    for (int i = 0; i < turns; i++) {
      Coroutine.pause();
    }
    coroutine.cancel();
    try {
      coroutine.await();
      return false;
    } catch (CancellationException e) {
      return true;
    }
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(dir)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @InLoop
  @ParameterizedTest(name = "{0}")
  @MethodSource("makings")
  void whatIsMadeForNobodyIsUnmadeWhenTheCallerHasLeft(String name, Making making)
      throws Exception {
    Files.writeString(dir.resolve("there"), "text");
    try (var _ = inside()) {
      assertTrue(isCancelled(1, () -> making.in(dir)));
      assertEquals(List.of("there"), names(), "at once");
    }
  }

  /// At whichever of its calls it was: the source's opening, the target's, the copying.
  @InLoop
  @Test
  void aCopyThatIsCancelledAnywhereLeavesNothing() throws Exception {
    Files.write(dir.resolve("there"), new byte[200_000]);
    try (var _ = inside()) {
      for (int turns = 1, copied = 0; copied < 20; turns += 1 + turns / 20) {
        int patience = turns;
        if (isCancelled(patience, () -> Fs.copy(dir.resolve("there"), dir.resolve("new")))) {
          assertEquals(List.of("there"), names(), () -> patience + " turns");
        } else {
          Fs.remove(dir.resolve("new"));
          copied++;
        }
      }
    }
  }

  @Test
  void whatMayHaveBeenThereStays() throws Exception {
    Path there = Files.writeString(dir.resolve("there"), "text");
    Loop.run(
        () -> {
          try (var _ = inside()) {
            assertTrue(isCancelled(1, () -> Fs.open(there, WRITE, StandardOpenOption.CREATE)));
            assertTrue(isCancelled(1, () -> Fs.copy(there, there)));
          }
          Fs.info(there); // the last that was left has landed
        });

    assertEquals("text", Files.readString(there));
  }

  /// Others may count on a directory as soon as it is there.
  @Test
  void directoriesThatWereMissingStay() throws Exception {
    Loop.run(
        () -> {
          try (var _ = inside()) {
            int turns = 0;
            while (!Files.exists(dir.resolve("new"))) {
              turns += 1 + turns / 10;
              isCancelled(turns, () -> Fs.makeDirs(dir.resolve("new/below")));
            }
          }
        });

    assertTrue(Files.isDirectory(dir.resolve("new")));
  }

  /// Somebody has put another file where the call had made one, before the loop heard of it.
  @ParameterizedTest
  @ValueSource(strings = {"open", "link", "symlink", "makeDir"})
  void whatSomebodyElseHasPutThereStays(String call) throws Exception {
    Path there = Files.writeString(dir.resolve("there"), "text");
    Path made = dir.resolve("new");
    Loop.run(
        () -> {
          try (var _ = inside()) {
            Coroutine<?> maker =
                Coroutine.spawn(
                    () -> {
                      switch (call) {
                        case "open" -> Fs.open(made, WRITE, StandardOpenOption.CREATE_NEW);
                        case "link" -> Fs.link(there, made);
                        case "symlink" -> Fs.symlink(Path.of("nowhere"), made);
                        default -> Fs.makeDir(made);
                      }
                    });
            Coroutine.pause();
            while (!Files.exists(made, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
              Thread.onSpinWait(); // the loop stands still, so it does not hear of it
            }
            // Kept, so that its number is not used again.
            Files.move(made, dir.resolve("kept"));
            if (call.equals("makeDir")) {
              Files.writeString(Files.createDirectory(made).resolve("file"), "other");
            } else {
              Files.writeString(made, "other");
            }
            maker.cancel();
            assertThrows(CancellationException.class, maker::await);
          }
        });

    Path other = call.equals("makeDir") ? made.resolve("file") : made;
    assertEquals("other", Files.readString(other));
  }

  /// The file is made, and then nothing is known about it.
  @ParameterizedTest
  @ValueSource(strings = {"open", "copy", "openTempFile"})
  void whatIsMadeAndCannotBeUsedIsUnmade(String call) throws Exception {
    Files.writeString(dir.resolve("there"), "text");
    int nth = call.equals("copy") ? 2 : 1;
    Loop.run(
        () -> {
          try (var _ = failing("uv_fs_fstat", "EIO", nth)) {
            assertThrows(
                IOException.class,
                () -> {
                  switch (call) {
                    case "open" ->
                        Fs.open(dir.resolve("new"), WRITE, StandardOpenOption.CREATE_NEW);
                    case "copy" -> Fs.copy(dir.resolve("there"), dir.resolve("new"));
                    default -> Temporaries.open(Way.AWAITED, dir.resolve("newXXXXXX"));
                  }
                });
          }
        });

    assertEquals(List.of("there"), names());
    assertFalse(Files.exists(dir.resolve("new")));
  }
}
