// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import dev.couv.coro.Coroutine;
import dev.couv.loop.Exhibit;
import dev.couv.loop.Operation;
import dev.couv.strand.Group;
import dev.couv.strand.LoopView;
import dev.couv.strand.Strand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A walk over the scopes and coroutines of a loop, by a coroutine of it that gives the others their turn every millisecond:
/// a hundred thousand coroutines hold up nobody. So each line is true when it is written, and the whole may be of several
/// turns: one that has ended meanwhile is left out.
final class Tree {
  private static final long SLICE_NANOS = 1_000_000;
  private static final int CLOCK_EVERY = 32;

  /// What is still to be visited.
  private sealed interface Step {}

  private record Scope(Group group, int depth) implements Step {}

  private record Member(Strand strand, List<Group> opened, int depth) implements Step {}

  private final LoopView host;
  private final Sampler sampler;
  private final ScopeIds ids;
  private final Strand itself;
  private final ArrayDeque<Step> open = new ArrayDeque<>();

  private long sliceEnd;
  private int steps;

  /// Where those are that somebody waits at.
  private final IdentityHashMap<Exhibit, Boolean> visited = new IdentityHashMap<>();

  Tree(Watch.Known loop, ScopeIds ids, Strand itself) {
    this.host = loop.host();
    this.sampler = loop.sampler();
    this.ids = ids;
    this.itself = itself;
  }

  /// Up to so many lines. In a coroutine of the loop.
  List<Row> rows(int limit) {
    List<Row> rows = new ArrayList<>();
    begin();
    for (Step step; rows.size() < limit && (step = open.poll()) != null; ) {
      switch (step) {
        case Scope(Group group, int depth) -> {
          if (group != host.root()) {
            rows.add(new Row(depth, true, ids.of(group), group.describe(), "", null, 0, ""));
          }
          enter(group, group == host.root() ? 0 : depth + 1);
        }
        case Member(Strand strand, List<Group> opened, int depth) -> {
          if (strand != itself && !strand.isEnded()) {
            rows.add(row(strand, depth));
          }
          push(opened, strand == itself ? depth : depth + 1);
        }
      }
      rest();
    }
    return rows;
  }

  Set<Exhibit> visited() {
    return visited.keySet();
  }

  /// The coroutine of that number; null if there is none. In a coroutine of the loop.
  @Nullable Strand find(long number) {
    begin();
    for (Step step; (step = open.poll()) != null; ) {
      switch (step) {
        case Scope(Group group, int _) -> enter(group, 0);
        case Member(Strand strand, List<Group> opened, int _) -> {
          if (strand.number() == number && !strand.isEnded()) {
            return strand;
          }
          push(opened, 0);
        }
      }
      rest();
    }
    return null;
  }

  private void begin() {
    sliceEnd = System.nanoTime() + SLICE_NANOS;
    open.push(new Scope(host.root(), 0));
  }

  /// Its coroutines come next, each before the scopes that it has opened; then the scopes whose opener is gone or elsewhere.
  private void enter(Group group, int depth) {
    List<Strand> strands = group.strands();
    IdentityHashMap<Strand, List<Group>> opened = new IdentityHashMap<>();
    List<Group> others = new ArrayList<>();
    if (!group.inside().isEmpty()) {
      strands.forEach(strand -> opened.put(strand, new ArrayList<>(0)));
      for (Group inner : group.inside()) {
        List<Group> siblings = inner.owner() == null ? null : opened.get(inner.owner());
        (siblings == null ? others : siblings).add(inner);
      }
    }
    push(others, depth);
    for (Strand strand : strands.reversed()) {
      open.push(new Member(strand, opened.getOrDefault(strand, List.of()), depth));
    }
  }

  private void push(List<Group> groups, int depth) {
    for (Group group : groups.reversed()) {
      open.push(new Scope(group, depth));
    }
  }

  private Row row(Strand strand, int depth) {
    Operation operation = strand.operation();
    if (operation instanceof Exhibit.Visitor visitor) {
      visited.put(visitor.visited(), true);
    }
    String awaiting = strand.awaiting();
    long nanos = host.scheduler().events().clock() - strand.awaitingSince();
    return new Row(
        depth,
        false,
        strand.number(),
        strand.name(),
        strand.status().name(),
        awaiting,
        awaiting == null ? 0 : Math.max(0, nanos / 1_000_000),
        strand.site().toString());
  }

  private void rest() {
    if (++steps % CLOCK_EVERY == 0 && System.nanoTime() - sliceEnd > 0) {
      sampler.lookRests();
      Coroutine.pause();
      sampler.lookBegins();
      sliceEnd = System.nanoTime() + SLICE_NANOS;
    }
  }
}
