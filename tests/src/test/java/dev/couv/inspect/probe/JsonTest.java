// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// JSON that may stand in a script.
class JsonTest {
  @Test
  void valuesAreSeparated() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("a", 1);
    values.put("b", true);
    values.put("c", "d");
    Json json = new Json().open('[').number(-1).object(values).open('[').close(']').close(']');

    assertEquals("[-1,{\"a\":1,\"b\":true,\"c\":\"d\"},[]]", json.toString());
  }

  @Test
  void nothingEndsTheScriptItStandsIn() {
    String name = "</script>\u2028\u2029<!--\"\\\n\t\u0000\ud800x👋";

    assertEquals(
        "\"\\u003c/script>\\u2028\\u2029\\u003c!--\\\"\\\\\\n\\t\\u0000\\ud800x👋\"",
        new Json().string(name).toString());
  }
}
