// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.io.IOException;

/// What the other side sends as one thing has more bytes than it may have: a line, a frame, whatever a
/// [ByteReader] was asked for as a whole. None of it was taken. Who goes on reading has to skip it; most close the
/// connection.
public final class FrameTooLongException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long limit;

  FrameTooLongException(ByteSource stream, String what, long limit) {
    super(stream + ": " + what + " of more than " + limit + " bytes");
    this.limit = limit;
  }

  /// How many bytes it may have.
  public long limit() {
    return limit;
  }
}
