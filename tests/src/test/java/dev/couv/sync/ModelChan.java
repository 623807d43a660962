// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;

/// Two channels, one without and one with a capacity, used singly and in selects: values, and two lines.
/// A new one takes the place of one that is closed.
class ModelChan extends ModelSubject {
  private static final String CLOSED = "ClosedException";
  private static final String SENT = "sent";

  private static final class Way {
    private final Chan<Integer> chan;
    private final LinkedList<Integer> values = new LinkedList<>();

    /// Every value that somebody was given, in that order; no two are equal.
    private final LinkedHashSet<Integer> given = new LinkedHashSet<>();

    private final List<Party> takers = new ArrayList<>();
    private final List<Party> givers = new ArrayList<>();
    private boolean closed;

    Way(int capacity) {
      chan = Chan.create(capacity);
    }
  }

  /// One end of one channel; the gift is null for who takes.
  private record End(Way way, Integer gift) {
    List<Party> line() {
      return gift == null ? way.takers : way.givers;
    }

    Awaitable<?> real() {
      return gift == null ? way.chan.receiving() : way.chan.sending(gift);
    }
  }

  /// Somebody who waits at one end, or at several.
  private record Party(ModelActor actor, List<End> ends) {
    End at(Way way) {
      return ends.stream().filter(end -> end.way == way).findFirst().orElseThrow();
    }

    Object told(End end, Object value) {
      return ends.size() == 1 ? value : ends.indexOf(end) + " " + value;
    }
  }

  private final ModelStage stage;
  private final List<Way> ways = new ArrayList<>(List.of(new Way(0), new Way(2)));
  private int gifts;

  ModelChan(ModelStage stage) {
    this.stage = stage;
  }

  @Override
  int verbs() {
    return 10;
  }

  @Override
  boolean mayWait(int verb) {
    return verb <= 6;
  }

  @Override
  Play play(ModelActor actor, int verb, int argument) {
    Way way = ways.get(argument % 2);
    Way other = ways.get(1 - argument % 2);
    return switch (verb) {
      case 0, 1 -> single(actor, new End(way, ++gifts));
      case 2, 3 -> single(actor, new End(way, null));
      case 4 -> select(actor, new End(way, null), new End(other, null));
      case 5 -> select(actor, new End(way, ++gifts), new End(other, null));
      case 6 -> select(actor, new End(way, ++gifts), new End(other, ++gifts));
      case 7 -> trySend(way, ++gifts);
      case 8 ->
          new Play("tries to receive", way.chan::tryReceive, () -> tried(new End(way, null), null));
      default -> closing(way, argument);
    };
  }

  private Play single(ModelActor actor, End end) {
    Way way = end.way;
    return end.gift == null
        ? new Play("receives", way.chan::receive, () -> await(new Party(actor, List.of(end))))
        : new Play(
            "sends " + end.gift,
            () -> {
              way.chan.send(end.gift);
              return SENT;
            },
            () -> await(new Party(actor, List.of(end))));
  }

  private Play select(ModelActor actor, End first, End second) {
    return new Play(
        "selects " + (first.gift == null ? "receive" : "send") + " and other",
        () -> {
          Awaitable<?> one = first.real();
          var selected = Await.select(one, second.real());
          End end = selected.source() == one ? first : second;
          Object value = end.gift == null ? selected.value() : SENT;
          return (end == first ? 0 : 1) + " " + value;
        },
        () -> await(new Party(actor, List.of(first, second))));
  }

  private Play trySend(Way way, int gift) {
    return new Play(
        "tries to send " + gift,
        () -> way.chan.trySend(gift),
        () -> {
          Object met = tried(new End(way, gift), false);
          return met.equals(SENT) ? true : met;
        });
  }

  private Play closing(Way way, int argument) {
    if (way.closed) {
      ways.set(ways.indexOf(way), new Way(way.chan.capacity()));
      return null;
    }
    if (argument / 2 % 4 != 0) {
      return null;
    }
    return new Play(
        "closes",
        () -> {
          way.chan.close();
          return null;
        },
        () -> close(way));
  }

  private Object await(Party party) {
    for (End end : party.ends) {
      Object met = meet(end);
      if (met != null) {
        return met.equals(CLOSED) ? met : party.told(end, met);
      }
    }
    party.ends.forEach(end -> end.line().add(party));
    return party.actor.block(
        new ModelActor.Wait() {
          @Override
          public void left() {
            leave(party);
          }

          @Override
          public void putBack(Object granted) {
            giveBack(party, granted);
          }
        });
  }

  private Object tried(End end, Object otherwise) {
    Object met = meet(end);
    return met == null ? otherwise : met;
  }

  /// What comes of it at once; null if nobody is there.
  private Object meet(End end) {
    Way way = end.way;
    if (end.gift == null) {
      return take(way);
    }
    if (way.closed) {
      return CLOSED;
    }
    if (!way.takers.isEmpty()) {
      way.given.add(end.gift);
      grant(next(way.takers), way, end.gift);
      return SENT;
    }
    if (way.values.size() < way.chan.capacity()) {
      way.values.add(end.gift);
      return SENT;
    }
    return null;
  }

  private Object take(Way way) {
    Integer value = way.values.poll();
    if (value != null) {
      way.given.add(value);
    }
    boolean place = value == null || way.values.size() < way.chan.capacity();
    if (place && !way.givers.isEmpty()) {
      Party giver = next(way.givers);
      Integer gift = giver.at(way).gift;
      grant(giver, way, SENT);
      if (value == null) {
        way.given.add(gift);
        return gift;
      }
      way.values.add(gift);
    }
    return value == null && way.closed ? CLOSED : value;
  }

  /// Whose turn it is.
  private Party next(List<Party> line) {
    return line.get(turn(line.size()));
  }

  int turn(int waiting) {
    return 0;
  }

  private void grant(Party party, Way way, Object value) {
    leave(party);
    party.actor.grant(stage, party.told(party.at(way), value));
  }

  private static void leave(Party party) {
    party.ends.forEach(end -> end.line().remove(party));
  }

  /// What was given stays given; what was taken is the oldest other's, or at the front again.
  private void giveBack(Party party, Object granted) {
    if (granted.equals(CLOSED)) {
      return;
    }
    String[] words = granted.toString().split(" ");
    End end = party.ends.get(words.length == 1 ? 0 : Integer.parseInt(words[0]));
    if (end.gift != null) {
      return;
    }
    Integer value = Integer.valueOf(words[words.length - 1]);
    if (end.way.takers.isEmpty()) {
      putBack(end.way, value);
    } else {
      grant(next(end.way.takers), end.way, value);
    }
  }

  /// Behind those that came back likewise and are older.
  private static void putBack(Way way, Integer value) {
    List<Integer> order = List.copyOf(way.given);
    int place = 0;
    for (Integer kept : way.values) {
      if (!way.given.contains(kept) || order.indexOf(kept) > order.indexOf(value)) {
        break;
      }
      place++;
    }
    way.values.add(place, value);
  }

  private Object close(Way way) {
    way.closed = true;
    for (List<Party> line : List.of(way.takers, way.givers)) {
      for (Party party : List.copyOf(line)) {
        leave(party);
        party.actor.grant(stage, CLOSED);
      }
    }
    return null;
  }

  @Override
  void check() {
    for (Way way : ways) {
      ModelStage.expect(way.closed, way.chan.isClosed(), "closed");
      ModelStage.expect(way.values.size(), way.chan.stats().values(), "values");
    }
  }
}
