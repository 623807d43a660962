// SPDX-License-Identifier: Apache-2.0
package dev.couv.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.error.UvException;
import dev.couv.loop.Operation;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.strand.Suspension;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A file that goes to a stream inside the kernel, as the stream sees it.
final class FileSourceTest {
  private static final class Empty implements FileSource {
    @Override
    public ByteBuffer head() {
      return ByteBuffer.allocate(0);
    }

    @Override
    public boolean isAtHand() {
      return false;
    }

    @Override
    public boolean isFollowed() {
      return false;
    }

    @Override
    public long sendNow(int socket) {
      throw new AssertionError("it is not at hand");
    }

    @Override
    public long send(int socket) {
      return 0;
    }

    @Override
    public boolean keepsSocket() {
      return false;
    }

    @Override
    public @Nullable ByteBuffer piece() {
      return null;
    }

    @Override
    public void taken(long count) {
      throw new AssertionError("nothing was there to take");
    }

    @Override
    public void await(Operation room) {
      Suspension.await(room);
    }
  }

  @InLoop
  @Test
  void streamThatCannotBeDuplicatedIsWrittenAfterwards() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      for (String call : new String[] {"dup", "uv_fileno"}) {
        var failing = NativeCalls.failing(call, UvErrors.UV_EMFILE);
        UvException thrown;
        try (var _ = NativeCalls.replace(call, failing)) {
          thrown =
              assertThrows(
                  UvException.class, () -> FileWriting.writeFrom(pair.first(), new Empty()));
        }
        assertEquals("EMFILE", thrown.code());
        pair.first().write(ByteBuffer.allocate(1));
      }
      pair.second().readFully(ByteBuffer.allocate(2));
    }
  }
}
