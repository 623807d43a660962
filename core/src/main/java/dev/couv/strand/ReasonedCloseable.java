// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

/// Something that tells those who use it why it was closed. A scope that owns it closes it with
/// the failure that it ends with, or with a `CancellationException` if it was cancelled.
public interface ReasonedCloseable extends AutoCloseable {
  /// Closes it, because it is not needed any more.
  @Override
  void close();

  /// Closes it, for a reason that whoever uses it is told.
  void close(Throwable reason);
}
