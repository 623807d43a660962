// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.util.Arrays;
import java.util.stream.Stream;

/// How C structs are written down: neighbours of one type together, and what C leaves free between them.
final class Struct {
  private Struct() {}

  static StructLayout struct(MemoryLayout[]... fields) {
    return MemoryLayout.structLayout(join(fields));
  }

  static MemoryLayout[] join(MemoryLayout[]... fields) {
    return Stream.of(fields).flatMap(Stream::of).toArray(MemoryLayout[]::new);
  }

  static MemoryLayout[] shorts(String... names) {
    return each(JAVA_SHORT, names);
  }

  static MemoryLayout[] ints(String... names) {
    return each(JAVA_INT, names);
  }

  /// Also `size_t`: Couv runs on 64-bit platforms only.
  static MemoryLayout[] longs(String... names) {
    return each(JAVA_LONG, names);
  }

  static MemoryLayout[] pointers(String... names) {
    return each(JAVA_LONG, names);
  }

  /// Arrays of that many bytes each.
  static MemoryLayout[] bytes(long size, String... names) {
    return each(MemoryLayout.sequenceLayout(size, JAVA_BYTE), names);
  }

  static MemoryLayout[] padding(long size) {
    return new MemoryLayout[] {MemoryLayout.paddingLayout(size)};
  }

  static long offset(StructLayout struct, String field) {
    return struct.byteOffset(PathElement.groupElement(field));
  }

  private static MemoryLayout[] each(MemoryLayout type, String... names) {
    return Arrays.stream(names).map(type::withName).toArray(MemoryLayout[]::new);
  }
}
