// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The command lines of JVMs, as `/proc` has them.
class CommandWordsTest {
  private static CommandWords parse(String line) {
    return CommandWords.parse(List.of(line.split(" ")));
  }

  @Test
  void aMainClass() {
    CommandWords words =
        parse("-Xmx1g -cp a.jar:lib/* --add-opens java.base/java.lang=X shop.Main -cp x");

    assertEquals(List.of("-Xmx1g"), words.options());
    assertEquals(List.of("a.jar", "lib/*"), words.places());
    assertEquals("shop.Main -cp x", words.title());
  }

  @Test
  void aJarAndAModule() {
    assertEquals("shop.jar 8080", parse("-Da=b -jar shop.jar 8080").title());
    assertEquals(List.of("shop.jar"), parse("-jar shop.jar").places());
    assertEquals("shop/shop.Main", parse("--module-path=mods -m shop/shop.Main").title());
    assertEquals(List.of("mods"), parse("--module-path=mods -m shop/shop.Main").places());
  }

  @Test
  void aScript() {
    assertEquals(
        "couv run hello.java", parse("-cp c.jar dev.couv.launch.Main run hello.java").title());
  }

  @Test
  void nothingAtAll() {
    assertEquals("", CommandWords.parse(List.of()).title());
    assertEquals("", parse("-cp").title());
  }
}
