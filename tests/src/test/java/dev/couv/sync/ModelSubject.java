// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Body;
import java.util.function.Supplier;

/// A primitive under test, and a model of it that is simple enough to be believed.
///
/// To put another primitive on the stage: extend this, do each verb twice, really and in the model, and
/// name it in [ModelTest].
abstract class ModelSubject {
  /// What an actor does: in words, really, and in the model, which tells what the real one must return at
  /// once, or [ModelActor#PENDING] if the actor has to wait. Then the model [grants][ModelActor#grant] it
  /// later.
  record Play(String words, Body<?> real, Supplier<Object> model) {}

  /// How many different things can be done with it.
  abstract int verbs();

  /// Whether doing that may have to wait.
  abstract boolean mayWait(int verb);

  /// What the actor, who is idle, would do; null if that cannot be done now.
  abstract Play play(ModelActor actor, int verb, int argument);

  /// Really gives back what the dying actor has; called by itself.
  void release(ModelActor actor) {}

  /// The same in the model.
  void released(ModelActor actor) {}

  /// The model's others run, before those who were woken: what is neither an actor's nor at once.
  void othersRun() {}

  /// The program is over: really, and in the model, everything ends when the others run.
  void end() {}

  /// Throws if what can be seen of the real one is not what the model says. At any moment.
  abstract void check();
}
