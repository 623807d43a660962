// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/// What is done with the bytes that [ByteStream#borrow] lends.
///
/// @param <E> what it may throw besides
@FunctionalInterface
public interface Borrower<E extends Exception> {
  /// Uses the bytes, as far as it moves the buffer's position; it may wait. When it has returned the buffer cannot be used any more.
  void use(ByteBuffer bytes) throws IOException, E;
}
