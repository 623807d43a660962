// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A page that shows a history: a column for each host, time downwards, and what went from one to another as a line. It needs
/// nothing but itself.
final class Page {
  private static final int SHOWN = 2000;
  private static final int COLUMN = 170;
  private static final int ROW = 18;
  private static final int LEFT = 120;

  private Page() {}

  /// Writes it where the property `couv.simulation.pages` says, or into `target` if there is one; null if there is neither.
  static @Nullable Path write(
      long seed, String failure, List<String> hosts, List<History.Entry> all) {
    String asked = System.getProperty("couv.simulation.pages");
    Path dir = Path.of(asked == null ? "target" : asked);
    if (asked == null && !Files.isDirectory(dir)) {
      return null;
    }
    try {
      Files.createDirectories(dir);
      Path page = dir.resolve("simulation-" + seed + ".html");
      return Files.writeString(page, text(seed, failure, hosts, all));
    } catch (IOException cannot) {
      return null; // the failure itself is what matters
    }
  }

  static String text(long seed, String failure, List<String> hosts, List<History.Entry> all) {
    List<History.Entry> entries = all.subList(Math.max(0, all.size() - SHOWN), all.size());
    int width = LEFT + hosts.size() * COLUMN + COLUMN;
    int height = (entries.size() + 3) * ROW;
    StringBuilder page = new StringBuilder(1 << 16);
    page.append("<!doctype html><meta charset=utf-8><title>simulation ").append(seed);
    page.append("</title><style>body{font:13px sans-serif}pre{background:#eee;padding:8px}");
    page.append("text{font:11px monospace}.t{fill:#888}.f{fill:#b00;font-weight:bold}</style>");
    page.append("<h1>Seed ").append(seed).append("</h1><pre>").append(escaped(failure));
    page.append("</pre><svg width=").append(width).append(" height=").append(height).append('>');
    for (int i = 0; i < hosts.size(); i++) {
      page.append(
          String.format(
              Locale.ROOT,
              "<text x=%d y=14>%s</text><line x1=%d y1=20 x2=%d y2=%d stroke='#ccc'/>",
              x(i) - 20,
              escaped(hosts.get(i)),
              x(i),
              x(i),
              height));
    }
    for (int i = 0; i < entries.size(); i++) {
      row(page, entries.get(i), 36 + i * ROW, hosts.size());
    }
    return page.append("</svg>").toString();
  }

  private static void row(StringBuilder page, History.Entry entry, int y, int hosts) {
    page.append(
        String.format(
            Locale.ROOT, "<text class=t x=0 y=%d>%s</text>", y, Moments.text(entry.moment())));
    int at = entry.host() < 0 ? x(hosts) : x(entry.host());
    if (entry.from() >= 0 && entry.from() != entry.host()) {
      page.append(
          String.format(
              Locale.ROOT,
              "<line x1=%d y1=%d x2=%d y2=%d stroke='#48c'/>",
              x(entry.from()),
              y - 10,
              at,
              y - 4));
    }
    page.append(
        String.format(
            Locale.ROOT,
            "<circle cx=%d cy=%d r=3/><text x=%d y=%d%s>%s</text>",
            at,
            y - 4,
            at + 6,
            y,
            entry.from() < 0 ? " class=f" : "",
            escaped(entry.what() + " " + entry.detail())));
  }

  private static int x(int host) {
    return LEFT + host * COLUMN + 30;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
