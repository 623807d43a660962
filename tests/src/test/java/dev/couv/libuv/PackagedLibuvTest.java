// SPDX-License-Identifier: Apache-2.0
package dev.couv.libuv;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.couv.uv.Native;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is inside of the artefact, and for whom it is.
@Tag("loop-scheduled-engine")
class PackagedLibuvTest {
  private final PackagedLibuv ours = new PackagedLibuv();

  /// The numbers are `e_machine` of an ELF file.
  @ParameterizedTest
  @CsvSource({"amd64, x86-64, 62", "x86_64, x86-64, 62", "aarch64, aarch64, 183"})
  void itHasALibraryForTheProcessor(String processor, String folder, int machine) throws Exception {
    byte[] library = new PackagedLibuv("Linux", processor).bytes();
    ByteBuffer elf = ByteBuffer.wrap(library).order(ByteOrder.LITTLE_ENDIAN);

    assertThat(elf.getInt(0)).isEqualTo(0x464C457F);
    assertThat((int) elf.getShort(18)).isEqualTo(machine);
    assertThat(new String(library, UTF_8)).contains("uv_loop_init");
    Properties facts = new Properties();
    try (InputStream file = resource("linux-" + folder + "/libuv.properties")) {
      facts.load(file);
    }
    assertThat(facts.getProperty("sha256"))
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(library)));
    assertThat(facts.getProperty("version")).startsWith("1.");
    assertThat(facts.getProperty("glibc")).matches("2\\.\\d+");
  }

  @Test
  void itHasItsLicence() throws Exception {
    try (InputStream file = resource("/META-INF/licenses/libuv/copyright")) {
      assertThat(new String(file.readAllBytes(), UTF_8))
          .contains("libuv project contributors", "License: Expat");
    }
  }

  @Test
  void itIsForThisMachine() {
    assertThat(ours.refusal("2.99")).isEmpty();
    assertThat(ours.name())
        .matches("couv-libuv \\(libuv1 [^ ]+ of .+\\)")
        .contains(Native.versionString());
  }

  @Test
  void anotherCLibraryIsRefused() {
    assertThat(ours.refusal(""))
        .isEqualTo("is for the C library glibc, and this JVM uses another, such as musl");
  }

  @Test
  void anOldGlibcIsRefused() {
    assertThat(ours.refusal("2.4")).matches("needs glibc 2\\.\\d+ or newer, and this is 2\\.4");
    assertThat(PackagedLibuv.isOlder("2.4", "2.34")).isTrue();
    assertThat(PackagedLibuv.isOlder("2.34", "2.34")).isFalse();
    assertThat(PackagedLibuv.isOlder("3.0", "2.34")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"Linux, riscv64, linux-riscv64", "Mac OS X, aarch64, mac-os-x-aarch64"})
  void otherMachinesAreRefused(String system, String processor, String platform) {
    PackagedLibuv none = new PackagedLibuv(system, processor);

    assertThat(none.name()).isEqualTo("couv-libuv");
    assertThat(none.refusal("2.99")).isEqualTo("has no library for " + platform);
    assertThatThrownBy(none::bytes).isInstanceOf(FileNotFoundException.class);
  }

  private static InputStream resource(String name) {
    return PackagedLibuv.class.getResourceAsStream(name);
  }
}
