// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import java.util.ArrayList;
import java.util.List;

/// A gate: open or closed.
final class ModelGate extends ModelSubject {
  private final ModelStage stage;
  private final Gate gate = new Gate();
  private final List<ModelActor> waiting = new ArrayList<>();
  private boolean open;

  ModelGate(ModelStage stage) {
    this.stage = stage;
  }

  @Override
  int verbs() {
    return 5;
  }

  @Override
  boolean mayWait(int verb) {
    return verb >= 3;
  }

  @Override
  Play play(ModelActor actor, int verb, int argument) {
    return switch (verb) {
      case 0 -> new Play("opens the gate", () -> set(true), () -> opened());
      case 1, 2 -> new Play("closes the gate", () -> set(false), () -> closed());
      default -> new Play("waits at the gate", gate::await, () -> await(actor));
    };
  }

  private Object set(boolean nowOpen) {
    if (nowOpen) {
      gate.open();
    } else {
      gate.close();
    }
    return nowOpen;
  }

  private Object opened() {
    open = true;
    waiting.forEach(actor -> actor.grant(stage, null));
    waiting.clear();
    return true;
  }

  private Object closed() {
    open = false;
    return false;
  }

  private Object await(ModelActor actor) {
    if (open) {
      return null;
    }
    waiting.add(actor);
    return actor.block(
        new ModelActor.Wait() {
          @Override
          public void left() {
            waiting.remove(actor);
          }

          @Override
          public void putBack(Object granted) {}
        });
  }

  @Override
  void check() {
    ModelStage.expect(open, gate.isOpen(), "open");
  }
}
