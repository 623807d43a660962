// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Wording;
import dev.couv.strand.Waker;
import dev.couv.strand.WakerSeat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Waits with a prepared waker, and makes a result of what has arrived in its seats.
@SuppressWarnings("unchecked") // only sources of T were given to the waker
final class Gathering {
  private Gathering() {}

  /// All values, in the order of the seats; or the first failure, with the others suppressed in it.
  static <T extends @Nullable Object> List<T> all(Waker waker) throws Exception {
    List<T> values = new ArrayList<>();
    List<WakerSeat> failed;
    try {
      waker.await();
      failed = failed(waker);
      if (failed.isEmpty()) {
        for (int i = 0; i < waker.count(); i++) {
          waker.seat(i).take();
          values.add((T) waker.seat(i).value());
        }
      } else {
        throw first(waker, causes(failed));
      }
    } finally {
      waker.end();
    }
    return Collections.unmodifiableList(values);
  }

  /// What became of each, in the order of the seats.
  static <T extends @Nullable Object> List<Outcome<T>> settled(Waker waker) {
    List<Outcome<T>> outcomes = new ArrayList<>();
    try {
      waker.await();
      for (int i = 0; i < waker.count(); i++) {
        waker.seat(i).take();
        outcomes.add(outcome((T) waker.seat(i).value(), waker.seat(i).error()));
      }
    } finally {
      waker.end();
    }
    return Collections.unmodifiableList(outcomes);
  }

  /// What wakers know as a value or an error, as users know it.
  @SuppressWarnings("NullAway") // null only where T allows it
  static <T extends @Nullable Object> Outcome<T> outcome(
      @Nullable T value, @Nullable Throwable error) {
    return error == null ? Outcome.value(value) : Outcome.failure(error);
  }

  /// Up to `n` values in the order they came.
  static <T extends @Nullable Object> List<T> some(Waker waker, int n) throws Exception {
    List<T> values = new ArrayList<>();
    try {
      waker.await();
      List<WakerSeat> came = new ArrayList<>();
      List<WakerSeat> failed = failed(waker);
      for (int i = 0; i < waker.count(); i++) {
        WakerSeat seat = waker.seat(i);
        if (seat.hasArrived() && seat.error() == null) {
          came.add(seat);
        }
      }
      came.sort(Comparator.comparingInt(WakerSeat::rank));
      if (came.size() < Math.min(n, waker.count())) {
        List<Throwable> causes = causes(failed);
        String first = Wording.of(causes.getFirst());
        throw new CompositeException(
            causes.size() + " of " + waker.count() + " failed, first: " + first, causes);
      }
      for (WakerSeat seat : came.subList(0, Math.min(n, came.size()))) {
        seat.take();
        values.add((T) seat.value());
      }
      failed.forEach(WakerSeat::take);
    } finally {
      waker.end();
    }
    return Collections.unmodifiableList(values);
  }

  /// In the order they failed.
  private static List<WakerSeat> failed(Waker waker) {
    List<WakerSeat> failed = new ArrayList<>(0);
    for (int i = 0; i < waker.count(); i++) {
      if (waker.seat(i).error() != null) {
        failed.add(waker.seat(i));
      }
    }
    failed.sort(Comparator.comparingInt(WakerSeat::rank));
    return failed;
  }

  private static List<Throwable> causes(List<WakerSeat> failed) {
    List<Throwable> causes = new ArrayList<>();
    for (WakerSeat seat : failed) {
      Throwable cause = seat.error();
      if (cause != null) {
        seat.take();
        causes.add(cause);
      }
    }
    return causes;
  }

  /// Throws the first, with the others suppressed in it. Never returns.
  private static Exception first(Waker waker, List<Throwable> causes) throws Exception {
    Throwable first = causes.getFirst();
    Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());
    told.add(first);
    Collections.addAll(told, first.getSuppressed()); // once: it copies them
    for (Throwable other : causes) {
      if (told.add(other)) {
        first.addSuppressed(other);
      }
    }
    throw waker.rethrow(first);
  }
}
