// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import dev.couv.loop.Exhibit;
import dev.couv.loop.Exhibits;
import dev.couv.strand.Group;
import dev.couv.strand.Scheduler;
import dev.couv.strand.Strand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Answers questions about the loops of this process. A question is a line of words, an answer a text; which there are
/// is in [#answer].
///
/// One thread at a time.
public final class Probe implements AutoCloseable {
  private static final int ALL = Integer.MAX_VALUE;

  private final Watch watch = new Watch();
  private final ScopeIds scopes = new ScopeIds();

  /// As long as it is open, channels that are made are kept in mind.
  public Probe() {
    Exhibits.watch();
  }

  /// Answers one question:
  ///
  /// - `count`: loops, coroutines and engine, with tabs between them
  /// - `dump`: everything, in words
  /// - `json`: everything
  /// - `look LIMIT MILLIS`: so many lines of each tree, and how the loops did since that moment
  /// - `top`: lines of words with tabs between them, see [Summary]
  /// - `stack NUMBER`: where a coroutine is
  /// - `cancel coroutine NUMBER`, `cancel scope ID`
  public String answer(String question) throws InterruptedException {
    String[] words = question.split(" ", -1);
    return switch (words[0]) {
      case "count" -> count();
      case "dump" -> dump();
      case "json" -> json(ALL, Long.MAX_VALUE);
      case "look" -> {
        watch.begin();
        yield json(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      }
      case "top" -> {
        watch.begin();
        yield Summary.of(looks(ALL), watch, Scheduler.engineKind());
      }
      case "stack" -> stack(Long.parseLong(words[1]));
      case "cancel" -> cancel(words[1].equals("scope"), Long.parseLong(words[2]));
      default -> "no such question: " + question;
    };
  }

  private String count() {
    List<Watch.Known> loops = watch.loops();
    int coroutines = loops.stream().mapToInt(loop -> loop.host().count()).sum();
    return loops.size() + "\t" + coroutines + "\t" + Scheduler.engineKind();
  }

  private String dump() throws InterruptedException {
    StringBuilder text = new StringBuilder();
    for (LoopLook look : looks(ALL)) {
      look.dump(text, Scheduler.engineKind(), watch.last(look));
    }
    return text.isEmpty() ? "no loop is open\n" : text.toString();
  }

  private List<LoopLook> looks(int limit) throws InterruptedException {
    List<LoopLook> looks = new ArrayList<>();
    for (Watch.Known loop : watch.loops()) {
      looks.add(LoopLook.of(loop, scopes, limit));
    }
    return looks;
  }

  private String json(int limit, long after) throws InterruptedException {
    List<LoopLook> looks = looks(limit);
    Strings strings = new Strings();
    Json json = new Json();
    json.open('{').key("at").number(System.currentTimeMillis());
    json.key("engine").string(Scheduler.engineKind()).key("loops").open('[');
    looks.forEach(look -> look.write(json, strings));
    json.close(']').key("strings");
    strings.write(json);
    json.key("awaits").object(kinds(looks)).key("queues");
    queues(json, looks);
    if (after != Long.MAX_VALUE) {
      json.key("samples").open('{');
      watch.loops().forEach(loop -> samples(json, loop, after));
      json.close('}');
    }
    return json.close('}').toString();
  }

  /// How many coroutines await what kind of thing.
  static Map<String, Long> kinds(List<LoopLook> looks) {
    Map<String, Long> kinds = new TreeMap<>();
    for (LoopLook look : looks) {
      for (Row row : look.rows()) {
        if (row.awaiting() != null) {
          kinds.merge(Row.kind(row.awaiting()), 1L, Long::sum);
        }
      }
    }
    return kinds;
  }

  private static void queues(Json json, List<LoopLook> looks) {
    Set<Exhibit> exhibits = Collections.newSetFromMap(new IdentityHashMap<>());
    exhibits.addAll(Exhibits.all());
    looks.forEach(look -> exhibits.addAll(look.visited()));
    json.open('[');
    for (Exhibit exhibit : exhibits) {
      json.open('{').key("kind").string(exhibit.kind()).key("name").string(exhibit.toString());
      json.key("figures").object(exhibit.figures()).close('}');
    }
    json.close(']');
  }

  private static void samples(Json json, Watch.Known loop, long after) {
    json.key(Integer.toString(loop.id())).open('{').key("points").open('[');
    for (Sampler.Point point : loop.sampler().pointsAfter(after)) {
      json.open('[').number(point.at()).number(point.lagMicros()).number(point.busyPermille());
      json.number(point.turns()).number(point.turnMicros()).number(point.coroutines());
      json.number(point.p99Micros()).number(point.maxMicros()).close(']');
    }
    json.close(']').key("busiest").open('[');
    for (Sampler.Busy busy : loop.sampler().busiest()) {
      json.open('[').number(busy.number()).string(busy.name()).number(busy.permille()).close(']');
    }
    json.close(']').close('}');
  }

  // ---- one of them

  private String stack(long number) throws InterruptedException {
    for (Watch.Known loop : watch.loops()) {
      String frames =
          Visit.pay(
              loop,
              itself -> {
                Strand found = new Tree(loop, scopes, itself).find(number);
                return found == null ? "" : found.name() + "\n" + found.frames();
              });
      if (frames != null && !frames.isEmpty()) {
        return frames;
      }
    }
    return "it has ended, or its loop is busy";
  }

  private String cancel(boolean scope, long id) throws InterruptedException {
    Group group = scope ? scopes.find(id) : null;
    for (Watch.Known loop : watch.loops()) {
      String done =
          Visit.pay(
              loop,
              itself -> {
                if (group != null) {
                  return cancel(group, loop);
                }
                Strand found = scope ? null : new Tree(loop, scopes, itself).find(id);
                return found == null
                    ? ""
                    : found.cancel("cancelled by the inspector")
                        ? "cancelled " + found.name()
                        : found.name() + " was cancelled before";
              });
      if (done != null && !done.isEmpty()) {
        return done;
      }
    }
    return "it has ended, or its loop is busy";
  }

  /// Nothing, if it is not one of that loop: then only what never changes of it may be looked at.
  private static String cancel(Group group, Watch.Known loop) {
    Strand opener = group.owner();
    boolean here =
        opener == null
            ? loop.host().root().inside().contains(group)
            : opener.scheduler() == loop.host().scheduler();
    if (!here) {
      return "";
    }
    group.cancel("cancelled by the inspector");
    return "cancelled " + group.describe();
  }

  @Override
  public void close() {
    Exhibits.unwatch();
    watch.close();
  }
}
