// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.error.UvException;
import dev.couv.stream.ByteStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Runs a command to its end, feeding it and taking both outputs at the same time: whichever of the
/// pipes is full or empty, the others go on.
final class Capture {
  private static final int PIECE = 1 << 16;

  private Capture() {}

  @SuppressWarnings("try") // a coroutine's scope is not interrupted
  static Output of(Command command, ByteBuffer input) throws IOException {
    try (Child child = command.start()) {
      byte[][] taken = new byte[2][];
      try (Scope scope = Scope.open()) {
        Coroutine<byte[]> errors = scope.spawn(() -> take(command, child, 2));
        if (input.hasRemaining()) {
          scope.spawn(() -> feed(command, child, input));
        }
        taken[0] = take(command, child, 1);
        taken[1] = errors.await();
      }
      return new Output(child.exit(), taken[0], taken[1]);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void feed(Command command, Child child, ByteBuffer input) throws IOException {
    if (!isPipe(command, 0)) {
      return;
    }
    try (ByteStream stdin = child.stdin()) {
      stdin.write(input);
    } catch (UvException e) {
      if (!e.code().equals("EPIPE")) {
        throw e;
      }
    }
  }

  private static byte[] take(Command command, Child child, int descriptor) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (!isPipe(command, descriptor)) {
      return bytes.toByteArray();
    }
    ByteStream from = child.stream(descriptor);
    byte[] piece = new byte[PIECE];
    for (int count; (count = from.read(ByteBuffer.wrap(piece))) >= 0; ) {
      if (bytes.size() + (long) count > command.limit()) {
        throw new OutputTooLarge(
            from + " has more than the " + command.limit() + " bytes that were allowed");
      }
      bytes.write(piece, 0, count);
    }
    return bytes.toByteArray();
  }

  private static boolean isPipe(Command command, int descriptor) {
    return Stdio.pipe().equals(command.stdio().get(descriptor));
  }
}
