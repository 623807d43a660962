// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks for an order of calls, by the algorithm of Wing and Gong with Lowe's memory: beginnings and ends stand in a list; a
/// call that begins before the first end may be next. Where an end is reached whose call was not chosen, the last choice is
/// taken back. The same calls chosen with the same state are not looked at twice.
final class Linearization<S extends @Nullable Object, I, O extends @Nullable Object> {
  private static final class Entry {
    final int number;
    final boolean isEnd;
    @Nullable Entry before;
    @Nullable Entry after;
    @Nullable Entry end;

    Entry(int number, boolean isEnd) {
      this.number = number;
      this.isEnd = isEnd;
    }
  }

  private record Choice<S extends @Nullable Object>(Entry entry, S state) {}

  private record Seen<S extends @Nullable Object>(BitSet chosen, S state) {}

  private final Model<S, I, O> model;
  private final Entry head = new Entry(-1, false);
  private final List<Calls<I, O>.Call> calls;

  Linearization(Model<S, I, O> model, List<Calls<I, O>.Call> calls) {
    this.model = model;
    this.calls = calls;
    record Moment(int at, Entry entry) {}
    List<Moment> moments = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      Calls<I, O>.Call call = calls.get(i);
      Entry begin = new Entry(i, false);
      moments.add(new Moment(call.begun(), begin));
      if (call.isEnded()) {
        Entry end = new Entry(i, true);
        begin.end = end;
        moments.add(new Moment(call.ended(), end));
      }
    }
    moments.sort(Comparator.comparingInt(Moment::at));
    Entry last = head;
    for (Moment moment : moments) {
      last.after = moment.entry();
      moment.entry().before = last;
      last = moment.entry();
    }
  }

  /// Nothing if there is an order; else those of which none could be next, where it came furthest.
  List<Calls<I, O>.Call> run() {
    ArrayDeque<Choice<S>> choices = new ArrayDeque<>();
    Set<Seen<S>> seen = new HashSet<>();
    BitSet chosen = new BitSet(calls.size());
    S state = model.initial();
    int furthest = -1;
    List<Calls<I, O>.Call> stuck = List.of();
    Entry entry = head.after;
    while (hasEnds()) {
      if (entry != null && !entry.isEnd) {
        Calls<I, O>.Call call = calls.get(entry.number);
        Model.Step<S, O> step = model.apply(state, call.input());
        if (!call.isEnded() || Objects.equals(step.answer(), call.answer())) {
          BitSet with = (BitSet) chosen.clone();
          with.set(entry.number);
          if (seen.add(new Seen<>(with, step.state()))) {
            choices.push(new Choice<>(entry, state));
            state = step.state();
            chosen = with;
            lift(entry);
            entry = head.after;
            continue;
          }
        }
        entry = entry.after;
        continue;
      }
      if (choices.size() > furthest) {
        furthest = choices.size();
        stuck = candidates();
      }
      if (choices.isEmpty()) {
        return stuck;
      }
      Choice<S> last = choices.pop();
      state = last.state();
      chosen = (BitSet) chosen.clone(); // the other is remembered
      chosen.clear(last.entry().number);
      unlift(last.entry());
      entry = last.entry().after;
    }
    return List.of();
  }

  private boolean hasEnds() {
    for (Entry at = head.after; at != null; at = at.after) {
      if (at.isEnd || at.end != null) {
        return true;
      }
    }
    return false;
  }

  private List<Calls<I, O>.Call> candidates() {
    List<Calls<I, O>.Call> found = new ArrayList<>();
    for (Entry at = head.after; at != null && !at.isEnd; at = at.after) {
      found.add(calls.get(at.number));
    }
    return found;
  }

  private static void lift(Entry entry) {
    unlink(entry);
    if (entry.end != null) {
      unlink(entry.end);
    }
  }

  private static void unlift(Entry entry) {
    if (entry.end != null) {
      link(entry.end);
    }
    link(entry);
  }

  /// It still knows its neighbours.
  private static void unlink(Entry entry) {
    Objects.requireNonNull(entry.before).after = entry.after;
    if (entry.after != null) {
      entry.after.before = entry.before;
    }
  }

  private static void link(Entry entry) {
    Objects.requireNonNull(entry.before).after = entry;
    if (entry.after != null) {
      entry.after.before = entry;
    }
  }
}
