// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.fs.OpenFile;
import dev.couv.stream.ByteStream;
import java.nio.file.Path;
import java.util.Objects;

/// The body of a message that is sent: a value that says what is to be sent and how, for the connection to do it. A media type
/// that cannot be the value of a header is refused where the value is made.
public sealed interface Content {
  /// A message without a body.
  Content NONE = new None();

  /// No body.
  record None() implements Content {}

  /// Bytes that are all here. The array is not copied: who made it leaves it alone from then on.
  ///
  /// @param type the media type; empty to say nothing of it
  @SuppressWarnings("ArrayRecordComponent") // compared by identity, as the answer it is part of
  record Bytes(String type, byte[] bytes) implements Content {
    /// Refuses a media type that could tear the head.
    public Bytes {
      checkType(type);
      Objects.requireNonNull(bytes, "bytes");
    }
  }

  /// A part of a file, which is sent inside of the kernel where that can be.
  ///
  /// @param offset the first byte
  /// @param length how many there are from there on: the file must have them when it is sent
  record FileRange(String type, Path path, long offset, long length) implements Content {
    /// Refuses a media type that could tear the head, and numbers below zero.
    public FileRange {
      checkType(type);
      Objects.requireNonNull(path, "path");
      checkRange(offset, length);
    }
  }

  /// A part of an open file, which is sent inside of the kernel where that can be. The file stays its owner's: who answers with it
  /// says so by [Response#closing].
  record OpenRange(String type, OpenFile file, long offset, long length) implements Content {
    /// Refuses a media type that could tear the head, and numbers below zero.
    public OpenRange {
      checkType(type);
      Objects.requireNonNull(file, "file");
      checkRange(offset, length);
    }
  }

  /// Bytes that are written while the message is on its way: in chunks, unless their number is known.
  ///
  /// @param length how many will be written, neither more nor fewer; -1 if that is not known
  record Streamed(String type, long length, Writing writing) implements Content {
    /// Refuses a media type that could tear the head, and a length below -1.
    public Streamed {
      checkType(type);
      if (length < -1) {
        throw new IllegalArgumentException("a body of " + length + " bytes");
      }
      Objects.requireNonNull(writing, "writing");
    }

    /// Bytes of unknown number.
    public Streamed(String type, Writing writing) {
      this(type, -1, writing);
    }
  }

  /// The connection itself, for another protocol: the head is sent as it is, and then nobody but `takeover` has the stream.
  record Upgraded(Takeover takeover) implements Content {
    /// Refuses null.
    public Upgraded {
      Objects.requireNonNull(takeover, "takeover");
    }
  }

  private static void checkType(String type) {
    HeaderChars.check("Content-Type", type);
  }

  private static void checkRange(long offset, long length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(length + " bytes from " + offset + " on");
    }
  }

  /// Writes a body.
  @FunctionalInterface
  interface Writing {
    /// Writes all of it. When it returns the body is at its end; if it throws, the client sees that it was torn.
    void writeTo(ContentWriter out) throws Exception;
  }

  /// Goes on with a connection in another protocol.
  @FunctionalInterface
  interface Takeover {
    /// Speaks it until the end: when this returns or throws, the connection is closed. What the client has sent already
    /// behind its request is read from the stream first.
    void take(ByteStream stream) throws Exception;
  }
}
