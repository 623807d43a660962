// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import java.util.ArrayList;
import java.util.List;

/// Permits: a number, and a queue whose head alone may take.
final class ModelPermits extends ModelSubject {
  private record Claim(ModelActor actor, int count) {}

  private final ModelStage stage;
  private final Permits permits;
  private final List<Claim> waiting = new ArrayList<>();
  private int available;

  ModelPermits(ModelStage stage, int count) {
    this.stage = stage;
    permits = new Permits(count);
    available = count;
  }

  @Override
  int verbs() {
    return 4;
  }

  @Override
  boolean mayWait(int verb) {
    return verb <= 1;
  }

  @Override
  Play play(ModelActor actor, int verb, int argument) {
    int count = argument % 4;
    return switch (verb) {
      case 0, 1 -> new Play("acquires " + count, () -> acquire(count), () -> acquire(actor, count));
      case 2 ->
          available > 6
              ? null // or nobody would ever wait
              : new Play("releases " + count, () -> release(count), () -> released(count));
      default ->
          new Play(
              "tries to acquire " + count,
              () -> permits.tryAcquire(count),
              () -> tryAcquire(count));
    };
  }

  private Object acquire(int count) {
    permits.acquire(count);
    return count;
  }

  private Object acquire(ModelActor actor, int count) {
    if (tryAcquire(count)) {
      return count;
    }
    Claim claim = new Claim(actor, count);
    waiting.add(claim);
    return actor.block(
        new ModelActor.Wait() {
          @Override
          public void left() {
            waiting.remove(claim);
            serve();
          }

          @Override
          public void putBack(Object granted) {
            available += count;
            serve();
          }
        });
  }

  private boolean tryAcquire(int count) {
    if (!waiting.isEmpty() || available < count) {
      return false;
    }
    available -= count;
    return true;
  }

  private Object release(int count) {
    permits.release(count);
    return "released";
  }

  private Object released(int count) {
    available += count;
    serve();
    return "released";
  }

  private void serve() {
    while (!waiting.isEmpty() && waiting.getFirst().count <= available) {
      Claim served = waiting.removeFirst();
      available -= served.count;
      served.actor.grant(stage, served.count);
    }
  }

  @Override
  void check() {
    ModelStage.expect(available, permits.available(), "permits");
    ModelStage.expect(waiting.size(), permits.waiting(), "waiting for permits");
  }
}
