// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

final class UvErrorsTest {
  @Test
  void everyConstantHasItsName() throws Exception {
    int constants = 0;
    for (Field field : UvErrors.class.getFields()) {
      int code = field.getInt(null);
      constants++;

      assertThat(code).as(field.getName()).isNegative();
      assertThat("UV_" + UvErrors.name(code)).isEqualTo(field.getName());
    }
    assertThat(constants).isGreaterThan(10);
  }

  @Test
  void codesOfTheLibraryAreTheSameEverywhere() {
    assertThat(UvErrors.UV_EOF).isEqualTo(-4095);
    assertThat(UvErrors.code("UNKNOWN")).isEqualTo(-4094);
    assertThat(UvErrors.code("EAI_CANCELED")).isEqualTo(-3003);
  }

  @Test
  void nameThatDoesNotExistHasNoCode() {
    assertThat(UvErrors.code("ENOSUCHERROR")).isZero();
    assertThat(UvErrors.code("")).isZero();
  }

  @Test
  void messageIsLibuvs() {
    assertThat(UvErrors.message(UvErrors.UV_ECONNREFUSED)).isEqualTo("connection refused");
    assertThat(UvErrors.message(UvErrors.UV_EOF)).isEqualTo("end of file");
  }

  @Test
  void unknownCodeIsNamedWithItsNumber() {
    assertThat(UvErrors.name(-3999)).isEqualTo("Unknown system error -3999");
    assertThat(UvErrors.message(-3999)).isEqualTo("Unknown system error -3999");
  }

  @Test
  void errorOfTheSystemIsTranslated() {
    int invalidArgument = Platform.choose(22, 22, 10022);

    assertThat(UvErrors.uv_translate_sys_error(invalidArgument)).isEqualTo(UvErrors.UV_EINVAL);
  }
}
