// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// What a method gives one by one until it gives null, as an iterator. Then it is closed: a loop over all
/// of it leaves nothing open.
final class Pull<T> implements Iterator<T> {
  @FunctionalInterface
  interface Source<T> {
    @Nullable T next() throws IOException;
  }

  private final Source<T> source;
  private final Runnable close;
  private @Nullable T next;
  private boolean ended;

  Pull(Source<T> source, Runnable close) {
    this.source = source;
    this.close = close;
  }

  @Override
  public boolean hasNext() {
    if (next == null && !ended) {
      try {
        next = source.next();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (next == null) {
        ended = true;
        close.run();
      }
    }
    return next != null;
  }

  @Override
  public T next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    T taken = next;
    next = null;
    return taken;
  }
}
