// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.coro.Coroutine;
import dev.couv.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/// What tests of writers share: turns that pass, and a sink of the user's own.
final class Writers {
  private Writers() {}

  static final int FULL = 1 << 16;

  static void turns() {
    for (int i = 0; i < 5; i++) {
      Time.sleep(Duration.ofMillis(1));
    }
  }

  static void pauses(int times) {
    for (int i = 0; i < times; i++) {
      Coroutine.pause();
    }
  }

  static void awaitNothingPending(ByteWriter out) {
    while (out.pending() > 0) {
      Time.sleep(Duration.ofMillis(1));
    }
  }

  /// A sink of the user's, to which nothing can be given without waiting.
  static class Sink implements ByteSink {
    final StringBuilder got = new StringBuilder();

    @Override
    public void write(ByteBuffer... from) throws IOException {
      for (ByteBuffer each : from) {
        got.append(UTF_8.decode(each));
      }
    }

    @Override
    public int tryWrite(ByteBuffer from) throws IOException {
      return 0;
    }
  }
}
