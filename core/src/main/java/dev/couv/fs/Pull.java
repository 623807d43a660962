// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// What a method gives one by one until it gives null, as an iterator.
final class Pull<T> implements Iterator<T> {
  @FunctionalInterface
  interface Source<T> {
    @Nullable T next() throws IOException;
  }

  private final Source<T> source;
  private @Nullable T next;

  Pull(Source<T> source) {
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      try {
        next = source.next();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
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
