// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// What follows in a stream, each of which waits. It takes nothing before it is asked for the next: whoever leaves a loop can
/// go on later. A failure to read is an `UncheckedIOException`.
record Upcoming<T>(Object stream, Step<Boolean> isThere, Step<T> read) implements Iterator<T> {
  @FunctionalInterface
  interface Step<T> {
    @Nullable T take() throws IOException;
  }

  @Override
  public boolean hasNext() {
    return Boolean.TRUE.equals(unchecked(isThere));
  }

  @Override
  public T next() {
    T next = unchecked(read);
    if (next == null) {
      throw new NoSuchElementException(stream + " has ended");
    }
    return next;
  }

  private static <T> @Nullable T unchecked(Step<T> step) {
    try {
      return step.take();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
