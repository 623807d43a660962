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
      Coroutine<byte[]> output;
      Coroutine<byte[]> errors;
      // None of them in this coroutine: whichever fails must end the others.
      try (Scope scope = Scope.open()) {
        output = scope.spawn(() -> take(command, child, 1));
        errors = scope.spawn(() -> take(command, child, 2));
        if (isPipe(command, 0)) {
          scope.spawn(() -> feed(child, input));
        }
        scope.join();
      }
      return new Output(child.exit(), output.await(), errors.await());
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// Runs a command to its end with pipes that nobody can use: it finds nothing to read, and what it
  /// writes is taken and forgotten.
  @SuppressWarnings("try") // a coroutine's scope is not interrupted
  static Exit discarding(Command command) throws IOException {
    try (Child child = command.start();
        Scope scope = Scope.open()) {
      for (int descriptor : command.stdio().keySet()) {
        if (isPipe(command, descriptor)) {
          ByteStream stream = child.stream(descriptor);
          if (descriptor == 0) {
            stream.close();
          } else {
            scope.spawn(() -> forget(stream));
          }
        }
      }
      Exit exit = child.exit();
      scope.cancel(); // others may still have the pipes
      return exit;
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void forget(ByteStream stream) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    while (stream.read(piece.clear()) >= 0) {}
  }

  /// Nobody else can write there: it ends with what there is, be that nothing.
  private static void feed(Child child, ByteBuffer input) throws IOException {
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

  static boolean hasPipes(Command command) {
    return command.stdio().containsValue(Stdio.pipe());
  }

  private static boolean isPipe(Command command, int descriptor) {
    return Stdio.pipe().equals(command.stdio().get(descriptor));
  }
}
