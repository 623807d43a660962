// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a library that comes with the program is loaded, and what becomes of its file.
@Tag("loop-scheduled-engine")
final class BundledCandidateTest {
  @TempDir private Path folder;
  private final List<Path> removed = new ArrayList<>();

  @Test
  void outOfMemoryAndWithoutAFile() throws Exception {
    var attempt = open(Files.readAllBytes(Path.of(Native.libraryPath())), null, "");

    assertThat(attempt.symbols()).isPresent();
    assertThat(Native.versionOf(attempt.symbols().get())).isEqualTo(Native.version());
    assertThat(removed).isEmpty();
  }

  @Test
  void fromAFileWhereMemoryIsOfNoUse() throws Exception {
    Path file = Files.copy(Path.of(Native.libraryPath()), folder.resolve("libuv.so.1"));

    var attempt = open(new byte[] {1}, file, "");

    assertThat(Native.versionOf(attempt.symbols().orElseThrow())).isEqualTo(Native.version());
    assertThat(removed).containsExactly(file);
  }

  @Test
  void whatCannotBeLoadedIsRemovedToo() throws Exception {
    Path file = Files.writeString(folder.resolve("libuv.so.1"), "not a library");

    var attempt = open(new byte[] {1}, file, "");

    assertThat(attempt.symbols()).isEmpty();
    assertThat(attempt.whyNot()).isEqualTo("because");
    assertThat(removed).containsExactly(file);
  }

  @Test
  void whatCannotBeUnpackedSaysWhy() {
    assertThat(open(new byte[] {1}, null, "").whyNot()).isEqualTo("no room");
  }

  @Test
  void whatRefusesIsNotTouched() {
    var attempt = open(new byte[] {1}, folder.resolve("none"), "not here");

    assertThat(attempt.whyNot()).isEqualTo("not here");
    assertThat(removed).isEmpty();
  }

  private Candidate.Opened open(byte[] bytes, Path file, String refusal) {
    return new Candidate.Bundled(
            new BundledLibrary() {
              @Override
              public String name() {
                return "of the test";
              }

              @Override
              public String refusal(String glibc) {
                return refusal;
              }

              @Override
              public byte[] bytes() {
                return bytes;
              }

              @Override
              public Path unpack() throws IOException {
                if (file == null) throw new IOException("no room");
                return file;
              }

              @Override
              public void remove(Path unpacked) {
                removed.add(unpacked);
              }

              @Override
              public String whyNot(Path unpacked) {
                return "because";
              }
            })
        .open();
  }
}
