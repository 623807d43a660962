// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import dev.couv.loop.EventLoopStats;
import dev.couv.loop.Exhibit;
import dev.couv.loop.NativeOwner;
import dev.couv.strand.LoopView;
import dev.couv.strand.Scheduler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What was seen of a loop at one look.
///
/// @param id by which the probe knows the loop
/// @param thread that runs it
/// @param state `running`, `busy` if it did not answer, `not running` if nobody runs it now
/// @param counts coroutines, those that are ready, handles, requests, timers and the like
/// @param handles those that are open, by kind
/// @param rows its scopes and coroutines
/// @param more how many coroutines are not among the rows
/// @param stack of a busy one, where it is
/// @param visited the channels and pools that its coroutines wait at
record LoopLook(
    int id,
    String thread,
    String state,
    Map<String, Long> counts,
    Map<String, Long> handles,
    List<Row> rows,
    int more,
    String stack,
    Set<Exhibit> visited) {

  /// Looks at a loop, at up to so many lines of its tree.
  static LoopLook of(Watch.Known loop, ScopeIds scopes, int limit) throws InterruptedException {
    LoopView host = loop.host();
    Scheduler scheduler = host.scheduler();
    Thread owner = scheduler.events().thread();
    String thread = owner == null ? "none" : owner.getName();
    LoopLook seen =
        Visit.pay(
            loop,
            itself -> {
              Map<String, Long> counts = counts(host);
              Map<String, Long> handles = handles(scheduler.events().owners());
              Tree tree = new Tree(loop, scopes, itself);
              List<Row> rows = tree.rows(limit);
              int more = rows.size() < limit ? 0 : scheduler.strands() - coroutines(rows) - 1;
              return new LoopLook(
                  loop.id(),
                  thread,
                  "running",
                  counts,
                  handles,
                  rows,
                  Math.max(0, more),
                  "",
                  tree.visited());
            });
    if (seen != null) {
      return seen;
    }
    boolean runs = scheduler.isRunning();
    return new LoopLook(
        loop.id(),
        thread,
        runs ? "busy" : "not running",
        Map.of("coroutines", (long) host.count()),
        Map.of(),
        List.of(),
        host.count(),
        runs ? scheduler.thread().stack() : "",
        Set.of());
  }

  private static int coroutines(List<Row> rows) {
    return (int) rows.stream().filter(row -> !row.scope()).count();
  }

  /// Without the coroutine that looks. In it.
  private static Map<String, Long> counts(LoopView host) {
    EventLoopStats stats = host.scheduler().events().stats();
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("coroutines", host.count() - 1L);
    counts.put("ready", (long) host.scheduler().ready());
    counts.put("handles", (long) stats.openHandles());
    counts.put("closing", (long) stats.closingHandles());
    counts.put("requests", (long) stats.requests());
    counts.put("timers", (long) stats.timers());
    counts.put("work outside", (long) stats.outsideWork());
    counts.put("native bytes", stats.nativeBytes());
    counts.put("turns", stats.polls());
    return counts;
  }

  private static Map<String, Long> handles(List<NativeOwner> owners) {
    Map<String, Long> kinds = new TreeMap<>();
    for (NativeOwner owner : owners) {
      kinds.merge(kind(owner.getClass().getSimpleName()), 1L, Long::sum);
    }
    return kinds;
  }

  /// `HostTcpListener` is a tcp listener.
  static String kind(String type) {
    String bare = type.startsWith("Host") && type.length() > 4 ? type.substring(4) : type;
    return bare.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }

  /// As `Loop.dump` has it, and how the loop did in the last second, if it was watched.
  void dump(StringBuilder to, String engine, Sampler.@Nullable Point second) {
    to.append("loop ").append(id).append(" on thread ").append(thread).append(": ");
    if (!state.equals("running")) {
      to.append(state).append(", ").append(more).append(" coroutines");
      if (!stack.isEmpty()) {
        to.append("; it has not answered for a second, and is at\n").append(stack);
      }
      to.append('\n');
      return;
    }
    to.append(
        "%d coroutines, %d ready, %d handles, %d requests, %s engine%n"
            .formatted(
                counts.get("coroutines"),
                counts.get("ready"),
                counts.get("handles"),
                counts.get("requests"),
                engine));
    if (second != null) {
      to.append("  ").append(second.words()).append('\n');
    }
    rows.forEach(row -> to.append(row.words()).append('\n'));
    if (more > 0) {
      to.append("  and ").append(more).append(" more\n");
    }
  }

  /// Strings that stand in many rows are written once, and the rows have their indexes.
  void write(Json json, Strings strings) {
    json.open('{');
    json.key("id").number(id).key("thread").string(thread).key("state").string(state);
    json.key("counts").object(counts).key("handles").object(handles);
    json.key("more").number(more).key("stack").string(stack);
    json.key("rows").open('[');
    for (Row row : rows) {
      String awaiting = row.awaiting();
      json.open('[').number(row.depth()).number(row.scope() ? 1 : 0).number(row.id());
      json.string(row.name()).number(strings.index(row.status()));
      json.number(awaiting == null ? -1 : strings.index(awaiting)).number(row.millis());
      json.number(strings.index(row.site())).close(']');
    }
    json.close(']').close('}');
  }
}
