// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import dev.couv.inspect.probe.Probe;
import java.io.IOException;
import java.io.InterruptedIOException;

/// The way to a probe of this process.
public final class OwnLink implements Link {
  private final Probe probe = new Probe();

  /// A way that is open from now on.
  public OwnLink() {}

  @Override
  public synchronized String ask(String question) throws IOException {
    try {
      return probe.answer(question);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  @Override
  public synchronized void close() {
    probe.close();
  }

  private static IOException interrupted(InterruptedException by) {
    Thread.currentThread().interrupt();
    IOException interrupted = new InterruptedIOException("interrupted while asking");
    interrupted.initCause(by);
    return interrupted;
  }
}
