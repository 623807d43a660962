// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a strand is resumed explicitly, and by whom: the one who waits for it to suspend, because it resumed it; and
/// those who have asked to while it was in the middle of an await, first come first served.
final class Resuming {
  /// That of a strand which nobody has resumed so far: it stays as it is.
  static final Resuming NOBODY = new Resuming();

  private @Nullable Resumption present;
  private @Nullable Resumption asking;

  // ---- by the resumer

  @Nullable Object resume(Suspendable strand, @Nullable Object... values) throws Exception {
    strand.adopt();
    Suspendable resumer = (Suspendable) Engine.current();
    check(strand, resumer);
    List<@Nullable Object> passed = Collections.unmodifiableList(Arrays.asList(values.clone()));
    Resumption resumption =
        new Resumption(resumer == null ? null : resumer::resumedSuspended, passed);
    begin(strand, resumption);
    if (resumer == null) {
      strand.scheduler().runAdvanced();
    } else if (resumption.awaited()) {
      resumer.waitForResumed(resumption);
    }
    return resumption.handed();
  }

  private static void check(Suspendable strand, @Nullable Suspendable resumer) {
    if (resumer == strand) {
      throw new IllegalStateException(strand + " cannot resume itself");
    }
    String obstacle =
        switch (strand.status()) {
          case RUNNING -> "is running";
          case NORMAL -> "is itself resuming another coroutine";
          case DONE, FAILED, CANCELLED -> "has ended";
          case SUSPENDED ->
              strand.isBlocked() && strand.wait == null
                  ? "blocks in plain Java code, not in an await"
                  : null;
          case CREATED, READY -> null;
        };
    if (obstacle == null && strand.isCancelRequested()) {
      obstacle = "was cancelled";
    }
    if (obstacle != null) {
      throw new IllegalStateException("cannot resume " + strand + ": it " + obstacle);
    }
  }

  /// It runs next, and its await ends with the values. If somebody is in the middle
  /// of that await, or resumes it already, they see to it.
  private void begin(Suspendable strand, Resumption by) {
    switch (strand.state()) {
      case CREATED -> {
        present = by;
        strand.start(Placement.NEXT);
      }
      case SUSPENDED -> {
        Wait left = strand.suspended();
        if (left.phase() == WaitPhase.WAITING) {
          present = by;
          left.resumed(by.values);
        } else {
          ask(by);
        }
      }
      case READY -> {
        if (present != null) {
          ask(by);
          return;
        }
        if (strand.wait != null) {
          strand.wait.resumed(by.values);
        }
        present = by;
        strand.rota().advance(strand);
      }
      case RUNNING -> ask(by); // on its way into an await
      case NORMAL, DONE, FAILED, CANCELLED -> throw new AssertionError(strand.state());
    }
  }

  // ---- by the strand

  /// Whether somebody waits for the strand to suspend.
  boolean isAwaited() {
    return present != null;
  }

  /// The strand could not be started: whoever wanted that is thrown it.
  void forget() {
    if (present != null) {
      present = null;
    }
  }

  private void ask(Resumption by) {
    Resumption last = asking;
    if (last == null) {
      asking = by;
      return;
    }
    while (last.next != null) {
      last = last.next;
    }
    last.next = by;
  }

  /// The first who has asked, if there is one: it waits now until the strand suspends again.
  @Nullable Resumption takeAsking() {
    Resumption first = asking;
    if (first != null) {
      asking = first.next;
      release();
      present = first;
    }
    return first;
  }

  /// Hands that to whoever waits.
  void hand(@Nullable Object value, @Nullable Throwable failure) {
    if (present != null) {
      present.hand(value, failure);
    }
  }

  /// The strand suspends, ends or blocks: whoever resumed it goes on at once.
  void release() {
    Resumption released = present;
    if (released != null) {
      present = null;
      released.release();
    }
  }

  /// The strand has ended.
  void refuse(Suspendable strand) {
    for (Resumption asked; (asked = asking) != null; asking = asked.next) {
      asked.refuse(strand);
    }
  }
}
