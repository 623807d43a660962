// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Scope;
import dev.couv.error.UvException;
import dev.couv.loop.Failures;
import dev.couv.stream.ByteStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// All that a child has written, and how it ended. Empty where the output was not caught.
///
/// @param exit how it ended
/// @param stdout the bytes of its output
/// @param stderr the bytes of its error output
@SuppressWarnings("ArrayRecordComponent") // bytes as they are; nobody compares two outputs
public record Output(Exit exit, byte[] stdout, byte[] stderr) {
  /// Waits for a child's end, feeding it and taking both outputs at the same time: whichever of the pipes is full or
  /// empty, the others go on.
  @SuppressWarnings("try") // a coroutine's scope is not interrupted
  static Output of(Child child, ByteBuffer input, long limit) throws IOException {
    Coroutine<byte[]> output;
    Coroutine<byte[]> errors;
    // None of them in this coroutine: whichever fails must end the others.
    try (Scope scope = Scope.open()) {
      output = scope.spawn(() -> take(child.pipe(1), limit));
      errors = scope.spawn(() -> take(child.pipe(2), limit));
      ByteStream stdin = child.pipe(0);
      if (stdin != null) {
        scope.spawn(() -> feed(stdin, input));
      }
      scope.join();
      return new Output(child.exit(), output.await(), errors.await());
    } catch (Exception e) {
      throw Failures.io(e);
    }
  }

  /// Nobody else can write there: it ends with what there is, be that nothing.
  private static void feed(ByteStream stdin, ByteBuffer input) throws IOException {
    try (stdin) {
      stdin.write(input);
    } catch (UvException e) {
      if (!e.code().equals("EPIPE")) {
        throw e;
      }
    }
  }

  private static byte[] take(@Nullable ByteStream from, long limit) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (ByteBuffer piece; from != null && (piece = from.read()) != null; ) {
      if (bytes.size() + (long) piece.remaining() > limit) {
        throw new OutputTooLarge(from + " has more than the " + limit + " bytes that were allowed");
      }
      bytes.write(piece.array(), piece.arrayOffset() + piece.position(), piece.remaining());
    }
    return bytes.toByteArray();
  }

  /// The output as text in UTF-8.
  public String stdoutText() {
    return new String(stdout, UTF_8);
  }

  /// The error output as text in UTF-8.
  public String stderrText() {
    return new String(stderr, UTF_8);
  }

  @Override
  public String toString() {
    return exit + ", " + stdout.length + " bytes of output, " + stderr.length + " of errors";
  }
}
