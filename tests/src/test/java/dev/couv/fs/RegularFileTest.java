// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Ordinary files and what is none; where an open file really is; what is known of a file that may be absent.
final class RegularFileTest {
  @TempDir Path temporary;
  private Path file;

  @BeforeEach
  void make() throws IOException {
    temporary = temporary.toRealPath();
    file = Files.writeString(temporary.resolve("file"), "text");
  }

  @ParameterizedTest
  @EnumSource
  void onlyAnOrdinaryFileIsOpened(BothWays way) throws Exception {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), file);
    Path pipe = Fifo.at(temporary.resolve("pipe"));
    way.run(
        () -> {
          for (Path each : new Path[] {file, link}) {
            try (OpenFile opened = way.fs("openRegular", each)) {
              ByteBuffer bytes = ByteBuffer.allocate(4);
              assertEquals(4, opened.readNow(bytes, 0));
            }
          }
          // Nobody has its other end: an ordinary opening waits for that.
          for (Path each : new Path[] {pipe, temporary, Path.of("/dev/null")}) {
            FileSystemException refused =
                assertThrows(NotRegularFileException.class, () -> way.fs("openRegular", each));
            assertEquals(each.toString(), refused.getFile());
          }
          assertThrows(
              NoSuchFileException.class, () -> way.fs("openRegular", temporary.resolve("absent")));
        });
  }

  @ParameterizedTest
  @EnumSource
  void anOpenFileIsFoundWhereverItIs(BothWays way) throws Exception {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), file);
    way.run(
        () -> {
          OpenFile opened = way.fs("open", link);
          try (opened) {
            assertEquals(link, opened.path());
            assertEquals(file, way.file(opened, "realPath"));
            Path moved = Files.move(file, temporary.resolve("moved"));
            assertEquals(moved, way.file(opened, "realPath"));
            Files.delete(moved);
            Path last = way.file(opened, "realPath");
            assertTrue(last.toString().startsWith(moved.toString()), last::toString);
          }
          assertThrows(ClosedChannelException.class, () -> way.file(opened, "realPath"));
        });
  }

  @ParameterizedTest
  @EnumSource
  void ofWhatIsAbsentNothingIsKnown(BothWays way) throws Exception {
    Path loop = temporary.resolve("loop");
    Files.createSymbolicLink(loop, loop);
    way.run(
        () -> {
          FileInfo info = way.fs("infoOrNull", file);
          assertEquals(4, info.size());
          for (Path absent :
              new Path[] {
                temporary.resolve("absent"),
                temporary.resolve("absent/x"),
                file.resolve("x"),
                loop,
                temporary.resolve("x".repeat(300))
              }) {
            assertNull(way.fs("infoOrNull", absent), absent::toString);
          }
        });
  }
}
