// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.strand.Suspension;
import dev.couv.world.FileCall;
import dev.couv.world.FileCalls;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// How calls on files are made, for what takes several of them and exists in both ways.
enum Way {
  /// The calling coroutine waits, and nobody else.
  AWAITED {
    @Override
    <T extends @Nullable Object> T make(FileCall<T> call) throws IOException {
      try {
        Suspension.await(call);
      } finally {
        awaitLanding(call);
      }
      return call.finish();
    }
  },
  /// The calling thread waits, whatever it is.
  NOW {
    @Override
    <T extends @Nullable Object> T make(FileCall<T> call) throws IOException {
      return call.now();
    }
  };

  abstract <T extends @Nullable Object> T make(FileCall<T> call) throws IOException;

  /// The file system of the calling coroutine's world; the host's own if the caller is none.
  static FileCalls files() {
    return Suspension.world().files();
  }

  /// Waits until no thread is inside a call that was left, if that matters. Whoever is cancelled or resumed once more
  /// meanwhile has been told already.
  private static void awaitLanding(FileCall<?> call) {
    while (call.isInFlight() && call.mustLand()) {
      try {
        Coroutine.protect(() -> Suspension.await(call.landing()));
      } catch (Resumed impatient) {
        // The thread is not quicker for that.
      } catch (RuntimeException | Error failed) {
        throw failed;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }
}
