// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.coro.Status;
import java.util.ArrayList;
import java.util.List;

/// Coroutines of a scope that wait to be told what to return or to fail with; they are spawned, awaited,
/// resumed and cancelled, one by one or with their scope.
class ModelTasks extends ModelSubject {
  private static final String CANCELLED = "CancellationException";
  private static final String FAILED = "ArithmeticException";
  private static final int SLOTS = 4;

  private static final class Task {
    private Coroutine<Object> coroutine;
    private Status status = Status.READY;

    /// Told to stop, and has not run since.
    private boolean leaving;

    private Object outcome;
    private final List<ModelActor> waiting = new ArrayList<>();

    boolean hasEnded() {
      return outcome != null;
    }
  }

  private final ModelStage stage;
  private final List<Task> tasks = new ArrayList<>();
  private Scope scope = openedBeside();
  private boolean scopeCancelled;

  ModelTasks(ModelStage stage) {
    this.stage = stage;
  }

  /// In a coroutine of its own, at once: the stage has other scopes open, and this one is not to be inside
  /// them.
  private static Scope openedBeside() {
    try {
      Coroutine<Scope> opener = Coroutine.create(() -> Scope.open());
      opener.resume();
      return opener.await();
    } catch (Exception wrong) {
      throw new AssertionError(wrong);
    }
  }

  @Override
  int verbs() {
    return 9;
  }

  @Override
  boolean mayWait(int verb) {
    return verb <= 2;
  }

  @Override
  Play play(ModelActor actor, int verb, int argument) {
    if (verb == 3 || verb == 4) {
      return spawning();
    }
    if (verb == 8) {
      return argument % 4 == 0 ? cancellingAll() : null;
    }
    if (tasks.isEmpty()) {
      return null;
    }
    Task task = tasks.get(argument % tasks.size());
    return switch (verb) {
      case 0, 1, 2 ->
          new Play("awaits a task", () -> task.coroutine.await(), () -> await(actor, task));
      case 5, 6 ->
          task.status == Status.SUSPENDED && !task.leaving
              ? resuming(task, argument % 3 == 0 ? null : argument)
              : null;
      default -> new Play("cancels a task", () -> task.coroutine.cancel(), () -> cancel(task));
    };
  }

  private Play spawning() {
    if (tasks.size() == SLOTS) {
      tasks.removeIf(task -> task.hasEnded() && task.waiting.isEmpty());
      return null;
    }
    Task task = new Task();
    tasks.add(task);
    task.leaving = scopeCancelled;
    return new Play(
        "spawns a task",
        () -> {
          task.coroutine = scope.spawn(ModelTasks::live);
          return "spawned";
        },
        () -> "spawned");
  }

  private static Object live() {
    Object told = Coroutine.halt();
    if (told == null) {
      throw new ArithmeticException("it was told to");
    }
    return told;
  }

  private Play resuming(Task task, Integer value) {
    return new Play(
        value == null ? "makes a task fail" : "makes a task return",
        () -> task.coroutine.resume(value),
        () -> end(task, value == null ? FAILED : String.valueOf(value)));
  }

  private Play cancellingAll() {
    if (scopeCancelled) {
      if (tasks.stream().allMatch(Task::hasEnded)) {
        scope = openedBeside();
        scopeCancelled = false;
      }
      return null;
    }
    return new Play(
        "cancels the scope",
        () -> {
          scope.cancel();
          return "done";
        },
        () -> {
          scopeCancelled = true;
          tasks.forEach(this::cancel);
          return "done";
        });
  }

  private Object await(ModelActor actor, Task task) {
    if (task.hasEnded()) {
      return task.outcome;
    }
    task.waiting.add(actor);
    return actor.block(
        new ModelActor.Wait() {
          @Override
          public void left() {
            task.waiting.remove(actor);
          }

          @Override
          public void putBack(Object granted) {}
        });
  }

  private Object cancel(Task task) {
    if (task.hasEnded() || task.leaving) {
      return false;
    }
    task.leaving = true;
    return true;
  }

  private Object end(Task task, Object outcome) {
    task.outcome = outcome;
    task.status = statusOf(outcome);
    task.waiting.forEach(actor -> actor.grant(stage, outcome));
    task.waiting.clear();
    return outcome;
  }

  private static Status statusOf(Object outcome) {
    return outcome.equals(CANCELLED)
        ? Status.CANCELLED
        : outcome.equals(FAILED) ? Status.FAILED : Status.DONE;
  }

  @Override
  void othersRun() {
    for (Task task : tasks) {
      if (task.leaving && !task.hasEnded()) {
        end(task, outcomeOfACancel());
      } else if (task.status == Status.READY) {
        task.status = Status.SUSPENDED;
      }
    }
  }

  /// What those who await a cancelled task are told.
  Object outcomeOfACancel() {
    return CANCELLED;
  }

  @Override
  void end() {
    scope.cancel();
    tasks.forEach(this::cancel);
  }

  @Override
  void check() {
    for (Task task : tasks) {
      if (task.coroutine != null && !task.leaving) {
        ModelStage.expect(task.status, task.coroutine.status(), "status");
      }
    }
  }
}
