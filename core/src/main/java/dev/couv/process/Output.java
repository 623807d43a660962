// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import static java.nio.charset.StandardCharsets.UTF_8;

/// All that a child has written, and how it ended. Empty where the output was not caught.
@SuppressWarnings("ArrayRecordComponent") // bytes as they are; nobody compares two outputs
public record Output(Exit exit, byte[] stdout, byte[] stderr) {
  /// As text in UTF-8.
  public String stdoutText() {
    return new String(stdout, UTF_8);
  }

  /// As text in UTF-8.
  public String stderrText() {
    return new String(stderr, UTF_8);
  }

  @Override
  public String toString() {
    return exit + ", " + stdout.length + " bytes of output, " + stderr.length + " of errors";
  }
}
