// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import java.io.IOException;

/// The way to the probe of a program: one question at a time, by any thread.
public interface Link extends AutoCloseable {
  /// Its answer.
  ///
  /// @throws IOException if the program is gone, or does not answer
  String ask(String question) throws IOException;

  @Override
  void close() throws IOException;
}
