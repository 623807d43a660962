// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeptTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatIsGivenBackGoesWhereItWas(long seed) {
    Random random = new Random(seed);
    Kept<String> kept = new Kept<>();
    TreeMap<Long, String> model = new TreeMap<>();
    long serial = 0;
    Kept.Item<String> taken = null;
    for (int step = 0; step < 20_000; step++) {
      switch (random.nextInt(3)) {
        case 0 -> {
          kept.add("value " + ++serial, serial);
          model.put(serial, "value " + serial);
        }
        case 1 -> {
          if (taken == null) {
            taken = kept.take();
            var first = model.pollFirstEntry();
            if (first == null) {
              assertNull(taken);
            } else {
              assertEquals(new Kept.Item<>(first.getValue(), first.getKey()), taken);
            }
          }
        }
        default -> {
          if (taken != null) {
            kept.add(taken.value(), taken.serial());
            model.put(taken.serial(), taken.value());
            taken = null;
          }
        }
      }
      assertEquals(model.size(), kept.size());
      assertEquals(model.isEmpty(), kept.isEmpty());
    }
    assertTrue(serial > 1_000);
  }
}
