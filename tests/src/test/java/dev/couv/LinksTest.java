// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Every link in the project's Markdown leads somewhere, and every page of the manual is in its list.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class LinksTest {
  private static final Path BASE = Path.of(System.getProperty("couv.basedir"));
  private static final Pattern LINK = Pattern.compile("(?<!`)\\[[^\\]]*]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```$|`[^`\\n]*`");

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    Set<String> dead = new TreeSet<>();
    int links = 0;
    for (Path page : pages()) {
      for (String target : targets(Files.readString(page))) {
        links++;
        if (!isThere(page, target)) {
          dead.add(BASE.relativize(page) + ": " + target);
        }
      }
    }

    assertEquals(Set.of(), dead);
    assertTrue(links > 100, "only " + links + " links were found");
  }

  @Test
  void everyPageOfTheManualIsInItsList() throws IOException {
    Path manual = BASE.resolve("docs/manual");
    Set<Path> listed = new HashSet<>();
    for (String target : targets(Files.readString(manual.resolve("README.md")))) {
      listed.add(manual.resolve(target.replaceAll("#.*", "")).normalize());
    }
    Set<String> unknown = new TreeSet<>();
    for (Path page : pages()) {
      if (page.startsWith(manual) && !page.endsWith("README.md") && !listed.contains(page)) {
        unknown.add(BASE.relativize(page).toString());
      }
    }

    assertEquals(
        Set.of(),
        unknown,
        "pages that docs/manual/README.md does not list: it is the navigation of the site");
  }

  @Test
  void aDeadLinkIsSeen() throws IOException {
    Path page = BASE.resolve("docs/manual/README.md");
    assertEquals(
        List.of("net.md#reading", "x.md"), targets("[a](net.md#reading) `[b](c)`\n[d](x.md)"));
    assertTrue(isThere(page, "net.md#reading"));
    assertTrue(!isThere(page, "net.md#writhing"));
    assertTrue(!isThere(page, "x.md"));
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> top = Files.list(BASE);
        Stream<Path> docs = Files.walk(BASE.resolve("docs"))) {
      Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    pages.remove(BASE.resolve("docs/site/index.md")); // its links are those of the site
    return pages;
  }

  /// What the links of a page lead to, save for other servers. Code has none.
  private static List<String> targets(String text) {
    return LINK.matcher(
            CODE.matcher(text).replaceAll(code -> code.group().contains("\n") ? "" : "x"))
        .results()
        .map(found -> found.group(1))
        .filter(target -> !target.matches("[a-z]+:.*"))
        .toList();
  }

  private static boolean isThere(Path page, String target) throws IOException {
    String[] parts = target.split("#", 2);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (!Files.exists(file)) {
      return false;
    }
    return parts.length == 1 || anchors(file).contains(parts[1]);
  }

  /// The places in a page that can be linked to: its headings, as code hosts name them, and what has a name of its own.
  private static Set<String> anchors(Path file) throws IOException {
    String text = Files.readString(file);
    Set<String> anchors = new HashSet<>();
    Pattern.compile("<a id=\"([^\"]+)\"></a>")
        .matcher(text)
        .results()
        .forEach(named -> anchors.add(named.group(1)));
    Matcher heading = Pattern.compile("(?m)^#+ (.*)$").matcher(text);
    while (heading.find()) {
      anchors.add(
          heading
              .group(1)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-'));
    }
    return anchors;
  }
}
