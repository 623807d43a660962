// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PlatformTest {
  @Test
  void namesOfTheJdkAreKnown() {
    assertThat(Platform.of("Linux")).isEqualTo(Platform.LINUX);
    assertThat(Platform.of("Mac OS X")).isEqualTo(Platform.MACOS);
    assertThat(Platform.of("Darwin")).isEqualTo(Platform.MACOS);
    assertThat(Platform.of("Windows 11")).isEqualTo(Platform.WINDOWS);
  }
}
