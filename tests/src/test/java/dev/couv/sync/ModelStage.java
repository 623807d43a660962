// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.testing.TestClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;

/// Runs a program of moves on real primitives and their models side by side, and fails at the first
/// difference.
///
/// Everything is decided by the moves: an actor is resumed by hand, so it runs at once until it waits; who
/// was woken runs in the order of the wake-ups when a move lets the others run. Between the two a woken
/// actor can be cancelled or resumed: that is where reservations are lost, if they are.
final class ModelStage {
  private static final int ACTORS = 6;

  /// The first actor only does what needs no waiting, so that there is always one who does something.
  private static final int MANAGER = 0;

  private static final int SUBJECTS = 3;

  private final List<ModelSubject> subjects;
  private final List<ModelActor> actors = new ArrayList<>();
  private final ArrayDeque<ModelActor> ready = new ArrayDeque<>();
  private final List<String> story = new ArrayList<>();
  private final boolean telling;

  private ModelStage(Function<ModelStage, List<ModelSubject>> made, int choice, boolean telling) {
    this.telling = telling;
    List<ModelSubject> all = new ArrayList<>(made.apply(this));
    Collections.shuffle(all, new Random(choice));
    subjects = List.copyOf(all.subList(0, Math.min(SUBJECTS, all.size())));
    for (int i = 0; i < ACTORS; i++) {
      actors.add(new ModelActor(i, subjects));
    }
  }

  /// Runs the program on a new loop, with some of the subjects: `choice` says which. Throws what was wrong, if asked for with the story that led to it.
  static void run(
      List<ModelMove> program,
      Function<ModelStage, List<ModelSubject>> subjects,
      int choice,
      boolean telling)
      throws Exception {
    new TestClock().run(() -> new ModelStage(subjects, choice, telling).play(program));
  }

  /// The model woke somebody. He runs when the others do.
  void woken(ModelActor actor) {
    ready.add(actor);
  }

  private void play(List<ModelMove> program) throws Exception {
    try {
      for (ModelMove move : program) {
        make(move);
        check();
      }
      end();
    } catch (Throwable wrong) {
      actors.forEach(ModelActor::cancel);
      throw new AssertionError(wrong.getMessage() + "\n  " + String.join("\n  ", story), wrong);
    }
  }

  private void make(ModelMove move) throws Exception {
    ModelActor actor = actors.get(move.actor() % ACTORS);
    switch (move.kind() % 32) {
      case 0, 1, 2 -> letRun();
      case 3 -> cancel(actor);
      case 4 -> cancel(oneOf(ModelActor.State.WOKEN, move, actor));
      case 5 -> resume(actor, move.argument());
      case 6, 7, 8 -> resume(oneOf(ModelActor.State.WOKEN, move, actor), move.argument());
      default -> act(move);
    }
  }

  /// One of those in that state, if there are any.
  private ModelActor oneOf(ModelActor.State state, ModelMove move, ModelActor otherwise) {
    List<ModelActor> there = actors.stream().filter(actor -> actor.state == state).toList();
    return there.isEmpty() ? otherwise : there.get(move.actor() % there.size());
  }

  private void act(ModelMove move) throws Exception {
    actors.replaceAll(
        actor ->
            actor.state == ModelActor.State.DEAD ? new ModelActor(actor.index, subjects) : actor);
    ModelSubject subject = subjects.get(move.subject() % subjects.size());
    int verb = move.verb() % subject.verbs();
    List<ModelActor> able =
        actors.stream()
            .filter(actor -> actor.state == ModelActor.State.IDLE)
            .filter(actor -> actor.index != MANAGER || !subject.mayWait(verb))
            .toList();
    if (able.isEmpty()) {
      return;
    }
    ModelActor actor = able.get(move.actor() % able.size());
    ModelSubject.Play play = subject.play(actor, verb, move.argument());
    if (play == null) {
      return;
    }
    String who = actor.toString();
    tell(() -> who + ": " + play.words());
    Object expected = play.model().get();
    actor.expected = String.valueOf(expected);
    actor.perform(play.real());
    expectSame(actor.expected, actor.outcome(), actor);
  }

  private void cancel(ModelActor actor) {
    if (actor.cancelled
        || actor.state == ModelActor.State.DEAD
        || actor.state == ModelActor.State.LEAVING) {
      return;
    }
    tell(() -> actor + " is cancelled, " + actor.state);
    actor.cancelled = true;
    switch (actor.state) {
      case IDLE, BLOCKED -> {
        if (actor.state == ModelActor.State.BLOCKED) {
          actor.expected = "cancelled";
          actor.wait.left();
        }
        actor.state = ModelActor.State.LEAVING;
        ready.add(actor);
      }
      case WOKEN -> {} // too late: it goes on, and dies where it next waits
      case LEAVING, DEAD -> throw new AssertionError(actor.state);
    }
    actor.cancel();
  }

  private void resume(ModelActor actor, int value) throws Exception {
    if (actor.cancelled) {
      return;
    }
    switch (actor.state) {
      case BLOCKED -> actor.wait.left();
      case WOKEN -> {
        ready.remove(actor);
        actor.wait.putBack(actor.expected);
      }
      case IDLE, LEAVING, DEAD -> {
        return;
      }
    }
    tell(() -> actor + " is resumed, " + actor.state);
    actor.state = ModelActor.State.IDLE;
    actor.expected = "resumed [" + value + "]";
    actor.resume(value);
    expectSame(actor.expected, actor.outcome(), actor);
  }

  /// Everybody who is ready runs, and whoever they wake.
  private void letRun() {
    tell(() -> "the others run");
    subjects.forEach(ModelSubject::othersRun);
    for (ModelActor actor; (actor = ready.poll()) != null; ) {
      if (actor.cancelled) {
        actor.state = ModelActor.State.DEAD;
        for (ModelSubject subject : subjects) {
          subject.released(actor);
        }
      } else {
        actor.state = ModelActor.State.IDLE;
      }
    }
    for (int i = 0; i < ACTORS; i++) {
      Coroutine.pause();
    }
    for (ModelActor actor : actors) {
      expectSame(actor.expected, actor.outcome(), actor);
    }
  }

  private void tell(Supplier<String> words) {
    if (telling) {
      story.add(words.get());
    }
  }

  private void check() {
    subjects.forEach(ModelSubject::check);
  }

  /// Everybody leaves, and everything must be as if nobody had been there.
  private void end() {
    for (ModelActor actor : actors) {
      cancel(actor);
    }
    subjects.forEach(ModelSubject::end);
    letRun();
    check();
    if (Loop.current().stats().coroutines() > 1) {
      throw new AssertionError("somebody is left: " + Loop.current().dump());
    }
  }

  private static void expectSame(Object expected, Object actual, Object subject) {
    if (!expected.equals(actual)) {
      throw new AssertionError(subject + ": expected " + expected + " but was " + actual);
    }
  }

  /// For the models: what can be seen must be that.
  static void expect(Object expected, Object actual, Object subject) {
    expectSame(expected, actual, subject);
  }
}
