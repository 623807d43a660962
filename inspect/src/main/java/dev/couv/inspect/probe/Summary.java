// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import java.util.List;
import java.util.Map;

/// What `top` shows, in lines of words with tabs between them: a word that says what the line is, then its values.
///
/// ```
/// engine  NAME
/// loop    ID  THREAD  STATE  COROUTINES  READY  HANDLES  REQUESTS  TURNS  BUSY  TURN  P99  MAX  LAG
/// handle  KIND  COUNT
/// await   KIND  COUNT  LONGEST
/// busy    NUMBER  NAME  PERMILLE
/// ```
///
/// `TURNS` are those of the last second, -1 before the first is over, `BUSY` permille of it, `TURN`, `P99`, `MAX` and `LAG` microseconds, `LONGEST`
/// milliseconds.
final class Summary {
  private final StringBuilder lines = new StringBuilder();

  private Summary() {}

  static String of(List<LoopLook> looks, Watch watch, String engine) {
    Summary summary = new Summary();
    summary.line("engine", engine);
    for (LoopLook look : looks) {
      Sampler.Point point = watch.last(look);
      Map<String, Long> counts = look.counts();
      summary.line(
          "loop",
          look.id(),
          look.thread(),
          look.state(),
          counts.getOrDefault("coroutines", 0L),
          counts.getOrDefault("ready", 0L),
          counts.getOrDefault("handles", 0L),
          counts.getOrDefault("requests", 0L),
          point == null ? -1 : point.turns(),
          point == null ? 0 : point.busyPermille(),
          point == null ? 0 : point.turnMicros(),
          point == null ? 0 : point.p99Micros(),
          point == null ? 0 : point.maxMicros(),
          point == null ? 0 : point.lagMicros());
      look.handles().forEach((kind, count) -> summary.line("handle", kind, count));
    }
    Probe.kinds(looks)
        .forEach((kind, count) -> summary.line("await", kind, count, longest(looks, kind)));
    for (Watch.Known loop : watch.loops()) {
      for (Sampler.Busy busy : loop.sampler().busiest()) {
        summary.line("busy", busy.number(), busy.name(), busy.permille());
      }
    }
    return summary.lines.toString();
  }

  private static long longest(List<LoopLook> looks, String kind) {
    return looks.stream()
        .flatMap(look -> look.rows().stream())
        .filter(row -> row.awaiting() != null && Row.kind(row.awaiting()).equals(kind))
        .mapToLong(Row::millis)
        .max()
        .orElse(0);
  }

  private void line(Object... words) {
    for (int at = 0; at < words.length; at++) {
      lines.append(at == 0 ? "" : "\t");
      lines.append(String.valueOf(words[at]).replaceAll("[\\t\\r\\n]", " "));
    }
    lines.append('\n');
  }
}
