// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A page that shows a history: a column for each host, time downwards, and what went from one to another as an arrow. It needs
/// nothing but itself. It is HTML that an XML parser reads, too: so a test sees a tag that is not closed.
final class Page {
  private static final int SHOWN = 2000;
  private static final int COLUMN = 170;
  private static final int ROW = 18;
  private static final int LEFT = 120;

  /// Of a letter, and a bit more.
  private static final int LETTER = 7;

  private Page() {}

  /// Writes it where the property `couv.simulation.pages` says, or into `target` or `build` if there is one. Says where it is, or
  /// why there is none.
  static String write(long seed, String failure, List<String> hosts, List<History.Entry> all) {
    Path dir = directory(Path.of(""), System.getProperty("couv.simulation.pages"));
    if (dir == null) {
      return "No page shows it, for there is neither target nor build here:"
          + " -Dcouv.simulation.pages=... says where to write it";
    }
    try {
      Files.createDirectories(dir);
      Path page = dir.resolve("simulation-" + seed + ".html");
      return "All of it: "
          + Files.writeString(page, text(seed, failure, hosts, all)).toAbsolutePath();
    } catch (IOException cannot) {
      return "No page shows it: " + cannot; // the failure itself is what matters
    }
  }

  /// Where Maven writes, or Gradle does, unless one is asked for.
  static @Nullable Path directory(Path here, @Nullable String asked) {
    if (asked != null) {
      return here.resolve(asked);
    }
    for (String usual : List.of("target", "build")) {
      if (Files.isDirectory(here.resolve(usual))) {
        return here.resolve(usual);
      }
    }
    return null;
  }

  static String text(long seed, String failure, List<String> hosts, List<History.Entry> all) {
    List<History.Entry> entries = all.subList(Math.max(0, all.size() - SHOWN), all.size());
    int height = (entries.size() + 3) * ROW;
    String shown =
        entries.size() == all.size() ? "" : "<p>The last " + SHOWN + " of " + all.size() + ".</p>";
    StringBuilder page = new StringBuilder(1 << 16);
    page.append(
        String.format(
            Locale.ROOT,
            """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"/><title>simulation %d</title><style>
            body{font:13px sans-serif}pre{background:#eee;padding:8px}
            text{font:11px monospace;paint-order:stroke;stroke:#fff;stroke-width:3px}
            .t{fill:#888}.f{fill:#b00;font-weight:bold}
            </style></head><body><h1>Seed %d</h1><pre>%s</pre>%s
            <svg width="%d" height="%d"><defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4"
            markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#48c"/></marker></defs>
            """,
            seed,
            seed,
            escaped(failure),
            shown,
            width(entries, hosts.size()),
            height));
    for (int i = 0; i < hosts.size(); i++) {
      page.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%d\" y=\"14\">%s</text>"
                  + "<line x1=\"%d\" y1=\"20\" x2=\"%d\" y2=\"%d\" stroke=\"#ccc\"/>\n",
              x(i) - 20,
              escaped(hosts.get(i)),
              x(i),
              x(i),
              height));
    }
    for (int i = 0; i < entries.size(); i++) {
      row(page, entries.get(i), 36 + i * ROW, hosts.size());
    }
    return page.append("</svg></body></html>\n").toString();
  }

  private static int width(List<History.Entry> entries, int hosts) {
    int width = x(hosts) + COLUMN;
    for (History.Entry entry : entries) {
      width = Math.max(width, at(entry, hosts) + LETTER * (label(entry).length() + 2));
    }
    return width;
  }

  private static int at(History.Entry entry, int hosts) {
    return x(entry.host() < 0 ? hosts : entry.host());
  }

  private static String label(History.Entry entry) {
    return (entry.what() + " " + entry.detail()).strip();
  }

  private static void row(StringBuilder page, History.Entry entry, int y, int hosts) {
    page.append(
        String.format(
            Locale.ROOT,
            "<text class=\"t\" x=\"0\" y=\"%d\">%s</text>",
            y,
            Moments.text(entry.moment())));
    int at = at(entry, hosts);
    boolean fromRight = entry.from() > entry.host() && entry.host() >= 0;
    if (entry.from() >= 0 && entry.from() != entry.host()) {
      page.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#48c\""
                  + " marker-end=\"url(#arrow)\"/>",
              x(entry.from()),
              y - 10,
              fromRight ? at + 4 : at - 4,
              y - 4));
    }
    // On the side that the arrow does not come from.
    page.append(
        String.format(
            Locale.ROOT,
            "<circle cx=\"%d\" cy=\"%d\" r=\"3\"/><text x=\"%d\" y=\"%d\"%s>%s</text>\n",
            at,
            y - 4,
            fromRight ? at - 6 : at + 6,
            y,
            (fromRight ? " text-anchor=\"end\"" : "") + (entry.from() < 0 ? " class=\"f\"" : ""),
            escaped(label(entry))));
  }

  private static int x(int host) {
    return LEFT + host * COLUMN + 30;
  }

  /// Without what no document may have.
  private static String escaped(String text) {
    return text.replaceAll("[\\p{Cntrl}&&[^\n\t]]", "\uFFFD")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;");
  }
}
