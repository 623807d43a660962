// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Needed;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// The page of a failure can be looked at.
final class PageTest {
  private static final List<History.Entry> ENTRIES =
      List.of(
          new History.Entry(0, -1, 0, "start", ""),
          new History.Entry(1_000, 0, 1, "Syn", ""),
          new History.Entry(2_000, 1, 0, "Data", "8"),
          new History.Entry(3_000, -1, -1, "note", "a < b & \u0001"));

  private static String page() {
    return Page.text(7, "\"a<b\" did not hold", List.of("db", "user"), ENTRIES);
  }

  private static List<Element> elements(String page, String name) throws Exception {
    NodeList found =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(page.getBytes(UTF_8)))
            .getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  @Test
  void eachTagIsClosed() throws Exception {
    List<Element> circles = elements(page(), "circle");
    assertEquals(ENTRIES.size(), circles.size());
    assertTrue(circles.stream().noneMatch(Element::hasChildNodes));
  }

  /// `Data 8` comes from the right, so its words are on the left; and `Syn` the other way round.
  @Test
  void wordsAreNotOnTheirArrow() throws Exception {
    List<Element> arrows =
        elements(page(), "line").stream().filter(each -> each.hasAttribute("marker-end")).toList();
    assertEquals(2, arrows.size());
    for (Element text : elements(page(), "text")) {
      int x = Integer.parseInt(text.getAttribute("x"));
      switch (text.getTextContent()) {
        case "Syn" -> assertTrue(x > Integer.parseInt(arrows.getFirst().getAttribute("x2")));
        case "Data 8" -> {
          assertTrue(x < Integer.parseInt(arrows.getLast().getAttribute("x2")));
          assertEquals("end", text.getAttribute("text-anchor"));
        }
        default -> {}
      }
    }
  }

  @Test
  @Tag("jvm") // a browser is no quicker than one
  void aBrowserHasAllOfItSideBySide(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("page.html"), page());
    Path shown = directory.resolve("shown.html");
    new ProcessBuilder(
            Needed.program("chromium"),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--user-data-dir=" + directory.resolve("profile"),
            "--dump-dom",
            file.toUri().toString())
        .redirectOutput(shown.toFile())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
    String dom = Files.readString(shown);
    assertEquals(
        ENTRIES.size(),
        Pattern.compile("<circle [^>]*></circle>").matcher(dom).results().count(),
        dom);
  }

  @Test
  void itIsWrittenWhereABuildWrites(@TempDir Path directory) throws Exception {
    assertNull(Page.directory(directory, null));
    Path build = Files.createDirectory(directory.resolve("build"));
    assertEquals(build, Page.directory(directory, null));
    Path target = Files.createDirectory(directory.resolve("target"));
    assertEquals(target, Page.directory(directory, null));
    assertEquals(directory.resolve("other"), Page.directory(directory, "other"));
  }
}
