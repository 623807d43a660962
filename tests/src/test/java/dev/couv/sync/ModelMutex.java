// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import java.util.ArrayDeque;

/// A mutex: an owner and a queue.
class ModelMutex extends ModelSubject {
  private final ModelStage stage;
  private final Mutex mutex = new Mutex();
  private ModelActor owner;
  final ArrayDeque<ModelActor> waiting = new ArrayDeque<>();

  ModelMutex(ModelStage stage) {
    this.stage = stage;
  }

  @Override
  int verbs() {
    return 3;
  }

  @Override
  boolean mayWait(int verb) {
    return verb == 0;
  }

  @Override
  Play play(ModelActor actor, int verb, int argument) {
    return switch (verb) {
      case 0 ->
          owner == actor
              ? new Play("locks what it owns", mutex::tryLock, () -> "IllegalStateException")
              : new Play("locks", this::lock, () -> lock(actor));
      case 1 -> {
        if (owner == actor) {
          yield new Play("unlocks", mutex::unlock, this::unlock);
        }
        yield argument % 8 == 0
            ? new Play("unlocks what it does not own", mutex::unlock, () -> "IllegalStateException")
            : null;
      }
      default ->
          owner == actor ? null : new Play("tries to lock", mutex::tryLock, () -> tryLock(actor));
    };
  }

  private Object lock() {
    mutex.lock();
    return "locked";
  }

  private Object lock(ModelActor actor) {
    if (owner == null) {
      owner = actor;
      return "locked";
    }
    waiting.add(actor);
    return actor.block(
        new ModelActor.Wait() {
          @Override
          public void left() {
            waiting.remove(actor);
          }

          @Override
          public void putBack(Object granted) {
            handOver();
          }
        });
  }

  private Object tryLock(ModelActor actor) {
    if (owner != null) {
      return false;
    }
    owner = actor;
    return true;
  }

  private Object unlock() {
    handOver();
    return owner != null;
  }

  private void handOver() {
    owner = next();
    if (owner != null) {
      owner.grant(stage, "locked");
    }
  }

  /// Whose turn it is.
  ModelActor next() {
    return waiting.poll();
  }

  @Override
  void release(ModelActor actor) {
    if (mutex.isOwned()) {
      mutex.unlock();
    }
  }

  @Override
  void released(ModelActor actor) {
    if (owner == actor) {
      handOver();
    }
  }

  @Override
  void check() {
    ModelStage.expect(owner != null, mutex.isLocked(), "locked");
  }
}
