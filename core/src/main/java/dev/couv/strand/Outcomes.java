// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Wording;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// How the end of a coroutine is told to those who await it.
public final class Outcomes {
  /// What a failure carries of those that came after it: enough to see what goes wrong, and no more than
  /// one can read and keep, however many fail.
  private static final int MOST_SUPPRESSED = 64;

  private Outcomes() {}

  /// Tells a later failure with the first one, once, unless that has plenty already.
  public static void suppress(Throwable first, Throwable later) {
    List<Throwable> known = List.of(first.getSuppressed());
    boolean isNew = first != later && known.stream().noneMatch(each -> each == later);
    if (isNew && known.size() <= MOST_SUPPRESSED) {
      first.addSuppressed(known.size() < MOST_SUPPRESSED ? later : new MoreFailures());
    }
  }

  /// In the place of those that are not kept.
  private static final class MoreFailures extends Exception {
    private static final long serialVersionUID = 1L;

    MoreFailures() {
      super("more than " + MOST_SUPPRESSED + " others failed, too", null, false, false);
    }
  }

  /// Throws what a coroutine ended with, itself. Never returns; declared so that callers can write
  /// `throw`.
  public static Exception rethrow(Throwable thrown) throws Exception {
    switch (thrown) {
      case Exception exception -> throw exception;
      case Error error -> throw error;
      default -> throw new AssertionError(Wording.of(thrown), thrown);
    }
  }

  /// Throws it where no checked exception can be declared.
  public static void throwUnchecked(Throwable thrown) {
    switch (thrown) {
      case RuntimeException exception -> throw exception;
      case Error error -> throw error;
      default -> throw new CompletionException(Wording.of(thrown), thrown);
    }
  }

  /// What awaiting a cancelled coroutine throws: a new one each time, with the awaiter's own trace.
  public static CancellationException cancellation(
      String name, String reason, @Nullable Throwable unwinding) {
    CancellationException cancellation =
        new CancellationException(name + " was cancelled: " + reason);
    cancellation.initCause(unwinding);
    return cancellation;
  }

  /// None is null, one is itself, several are a list.
  public static @Nullable Object packed(List<@Nullable Object> values) {
    return switch (values.size()) {
      case 0 -> null;
      case 1 -> values.getFirst();
      default -> values;
    };
  }
}
