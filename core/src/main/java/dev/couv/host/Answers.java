// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Fields;
import dev.couv.uv.Memory;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How libuv gives answers that are longer than a number.
final class Answers {
  private static final int ROOM = 256;

  /// No code that anything is answered by.
  private static final int NEVER = 1;

  private Answers() {}

  /// Asks for text, into room for it and its length; or for an array, to be written to the first address, and its length
  /// to the second.
  interface Inquiry {
    int ask(long answer, long size);
  }

  interface Text<T> {
    T read(long at);
  }

  /// Reads an answer out of a struct.
  interface Element<T> {
    T read(Fields fields) throws IOException;
  }

  interface Release {
    void free(long array, int count);
  }

  /// Reads an answer, after it was asked for, out of room that is all zeros at first.
  interface Use<T, X extends Exception> {
    T read(long at) throws X;
  }

  static <T, X extends Exception> T room(long size, Use<T, X> reading) throws X {
    return lent(NativeMemory.check(Memory.calloc(1, size)), reading);
  }

  /// Room for such a struct.
  static <T> T struct(StructLayout struct, Element<T> reading) throws IOException {
    return room(struct.byteSize(), at -> reading.read(new Fields(struct, at)));
  }

  /// Hands a text to native code.
  static <T, X extends Exception> T given(String text, Use<T, X> reading) throws X {
    return lent(NativeMemory.check(Memory.newString(text)), reading);
  }

  /// Hands a path to native code.
  static <T, X extends Exception> T given(Path path, Use<T, X> reading) throws X {
    return lent(PathBytes.allocate(path), reading);
  }

  /// A text for C, which the caller frees; 0 if there is none.
  static long newText(@Nullable String text) {
    return text == null ? 0 : NativeMemory.check(Memory.newString(text));
  }

  private static <T, X extends Exception> T lent(long at, Use<T, X> reading) throws X {
    try {
      return reading.read(at);
    } finally {
      Memory.free(at);
    }
  }

  static String text(String call, Inquiry inquiry) throws IOException {
    return ask(call, "this process", inquiry, Memory::getString);
  }

  /// A path need not be text.
  static Path path(String call, Inquiry inquiry) throws IOException {
    return ask(call, "this process", inquiry, PathBytes::read);
  }

  private static <T> T ask(String call, String subject, Inquiry inquiry, Text<T> answer)
      throws IOException {
    T known = askIfAny(call, subject, inquiry, answer, NEVER);
    return Objects.requireNonNull(known);
  }

  /// Null if that is the code it is answered by: there is none.
  static <T> @Nullable T askIfAny(
      String call, String subject, Inquiry inquiry, Text<T> answer, int none) throws IOException {
    for (long room = ROOM; ; ) {
      long memory = NativeMemory.check(Memory.calloc(1, Long.BYTES + room));
      try {
        Memory.putLong(memory, room);
        int code = inquiry.ask(memory + Long.BYTES, memory);
        if (code == none) {
          return null;
        }
        if (code != UvErrors.UV_ENOBUFS || room > 1 << 20) {
          Failures.check(code, call, subject);
          return answer.read(memory + Long.BYTES);
        }
        room = Math.max(2 * room, Memory.getLong(memory) + 1);
      } finally {
        Memory.free(memory);
      }
    }
  }

  static <T> List<T> list(
      String call, Inquiry inquiry, StructLayout struct, Element<T> element, Release release)
      throws IOException {
    return room(
        2 * Long.BYTES,
        at -> {
          Failures.check(inquiry.ask(at, at + Long.BYTES), call, "this machine");
          long array = Memory.getLong(at);
          int count = Memory.getInt(at + Long.BYTES);
          try {
            List<T> all = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
              all.add(element.read(new Fields(struct, array + i * struct.byteSize())));
            }
            return List.copyOf(all);
          } finally {
            release.free(array, count);
          }
        });
  }
}
