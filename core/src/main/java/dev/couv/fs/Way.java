// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Resumed;
import dev.couv.strand.Suspension;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// How requests are made, for what takes several of them and exists in both ways.
enum Way {
  /// The calling coroutine waits, and nobody else.
  AWAITED {
    @Override
    <T extends @Nullable Object> T make(FileRequest<T> request) throws IOException {
      try {
        Suspension.await(request);
      } catch (Cancelled | Resumed leaving) {
        request.left();
        throw leaving;
      }
      return request.finish();
    }
  },
  /// The calling thread waits, whatever it is.
  NOW {
    @Override
    <T extends @Nullable Object> T make(FileRequest<T> request) throws IOException {
      return request.now();
    }
  };

  abstract <T extends @Nullable Object> T make(FileRequest<T> request) throws IOException;
}
