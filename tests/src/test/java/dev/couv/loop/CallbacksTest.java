// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CallbacksTest {
  /// libuv may call any of them from then on, for as long as the process lives.
  @Test
  void eachHasAFunctionOfItsOwn() throws Exception {
    Set<Long> addresses = new HashSet<>();
    Field[] callbacks = Callbacks.class.getFields();
    for (Field callback : callbacks) {
      addresses.add(callback.getLong(null));
    }

    assertThat(callbacks).hasSize(19);
    assertThat(addresses).hasSameSizeAs(callbacks).doesNotContain(0L);
  }
}
