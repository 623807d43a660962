// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The first message of a client, read ahead of the engine for the name it asks for: an engine belongs
/// to one context, and the name decides which. Nothing is believed but that; what is malformed here is
/// refused by the engine, which sees it next.
final class ClientHello {
  private static final int HANDSHAKE_RECORD = 22;
  private static final int CLIENT_HELLO = 1;
  private static final int SERVER_NAME_EXTENSION = 0;
  private static final int HOST_NAME = 0;

  /// More than any honest client says before it is answered.
  private static final int LONGEST = 16 << 10;

  private ClientHello() {}

  /// Waits for the message and returns the name in it; null if there is none. Nothing is consumed.
  static @Nullable String serverName(TlsInput arriving) throws IOException {
    while (true) {
      ByteBuffer seen = arriving.peek();
      try {
        return nameIn(message(seen));
      } catch (BufferUnderflowException incomplete) {
        if (seen.remaining() > LONGEST) {
          return null;
        }
        arriving.fill();
        if (!arriving.isOpen()) {
          return null;
        }
      } catch (IllegalArgumentException malformed) {
        return null;
      }
    }
  }

  /// A fatal alert: there is no such name here.
  static ByteBuffer unrecognizedName() {
    return ByteBuffer.wrap(new byte[] {21, 3, 3, 0, 2, 2, 112});
  }

  /// The handshake message, which may be cut into several records.
  ///
  /// @throws BufferUnderflowException if more of it must come
  /// @throws IllegalArgumentException if it is something else
  private static ByteBuffer message(ByteBuffer records) {
    ByteBuffer in = records.duplicate();
    ByteBuffer message = ByteBuffer.allocate(in.remaining());
    while (true) {
      if (in.get() != HANDSHAKE_RECORD || in.get() != 3) {
        throw new IllegalArgumentException("no handshake");
      }
      in.get();
      int length = in.getShort() & 0xFFFF;
      int part = Math.min(length, in.remaining());
      message.put(in.slice(in.position(), part));
      if (message.position() > 0 && message.get(0) != CLIENT_HELLO) {
        throw new IllegalArgumentException("no client hello");
      }
      int needed = message.position() < 4 ? 4 : 4 + (message.getInt(0) & 0xFFFFFF);
      if (message.position() >= needed && needed > 4) {
        return message.flip().limit(needed).position(4);
      }
      if (part < length) {
        throw new BufferUnderflowException();
      }
      in.position(in.position() + part);
    }
  }

  private static @Nullable String nameIn(ByteBuffer hello) {
    try {
      hello.position(hello.position() + 2 + 32); // version, random
      part(hello, hello.get() & 0xFF); // session
      part(hello, hello.getShort() & 0xFFFF); // cipher suites
      part(hello, hello.get() & 0xFF); // compressions
      if (!hello.hasRemaining()) {
        return null;
      }
      ByteBuffer extensions = part(hello, hello.getShort() & 0xFFFF);
      while (extensions.hasRemaining()) {
        int type = extensions.getShort() & 0xFFFF;
        ByteBuffer extension = part(extensions, extensions.getShort() & 0xFFFF);
        if (type == SERVER_NAME_EXTENSION) {
          ByteBuffer names = part(extension, extension.getShort() & 0xFFFF);
          if (names.get() != HOST_NAME) {
            return null;
          }
          return US_ASCII.decode(part(names, names.getShort() & 0xFFFF)).toString();
        }
      }
      return null;
    } catch (BufferUnderflowException malformed) {
      throw new IllegalArgumentException(malformed); // it is whole, so nothing is missing
    }
  }

  private static ByteBuffer part(ByteBuffer in, int length) {
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer part = in.slice(in.position(), length);
    in.position(in.position() + length);
    return part;
  }
}
