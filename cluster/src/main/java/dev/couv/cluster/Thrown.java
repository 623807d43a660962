// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was thrown at one side, as it is told to the other.
record Thrown(String type, String message, List<Where> trace) {
  private static final int DEEPEST = 50;
  private static final int LONGEST = 2_000;

  /// Bytes of a letter that JSON has to escape.
  private static final int LARGEST_LETTER = 6;

  private static final Codec<Thrown> CODEC = Codec.json(Thrown.class);

  /// A line of a stack trace.
  record Where(String type, String method, @Nullable String file, int line) {}

  /// In so many bytes at most: if need be with less of the trace, and then of the message.
  static byte[] encode(Throwable thrown, int largest) {
    for (int depth = DEEPEST; depth > 0; depth /= 2) {
      byte[] bytes = encode(thrown, depth, LONGEST);
      if (bytes.length <= largest) {
        return bytes;
      }
    }
    return encode(thrown, 0, Math.min(LONGEST, largest / LARGEST_LETTER / 2));
  }

  private static byte[] encode(Throwable thrown, int deepest, int longest) {
    List<Where> trace =
        Arrays.stream(trace(thrown))
            .limit(deepest)
            .map(
                each ->
                    new Where(
                        each.getClassName(),
                        each.getMethodName(),
                        each.getFileName(),
                        each.getLineNumber()))
            .toList();
    String message = message(thrown);
    String told = message.length() > longest ? message.substring(0, longest) + "…" : message;
    try {
      return CODEC.encode(new Thrown(thrown.getClass().getName(), whole(told), trace));
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }
  }

  /// Methods of a user, which may throw themselves.
  static String message(Throwable thrown) {
    try {
      String message = thrown.getMessage();
      return message == null ? "" : message;
    } catch (Exception | StackOverflowError wrong) {
      return "its message cannot be told: " + wrong.getClass().getName();
    }
  }

  private static StackTraceElement[] trace(Throwable thrown) {
    try {
      return thrown.getStackTrace();
    } catch (Exception | StackOverflowError wrong) {
      return new StackTraceElement[0];
    }
  }

  /// Halves of letters, as they are left where a text is cut, cannot be written.
  private static String whole(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  static RemoteFailureException decode(String subject, byte[] bytes) {
    try {
      Thrown thrown = CODEC.decode(bytes);
      List<StackTraceElement> trace =
          thrown.trace == null
              ? List.of()
              : thrown.trace.stream()
                  .limit(DEEPEST)
                  .filter(each -> each.type != null && each.method != null)
                  .map(each -> new StackTraceElement(each.type, each.method, each.file, each.line))
                  .toList();
      return new RemoteFailureException(
          subject,
          String.valueOf(thrown.type),
          thrown.message == null ? "" : thrown.message,
          trace);
    } catch (Exception garbled) {
      Peer.LOG.log(Level.DEBUG, "a failure that cannot be read", garbled);
      return new RemoteFailureException(subject, "something that cannot be read", "", List.of());
    }
  }
}
