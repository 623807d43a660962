// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;
import static dev.couv.uv.Call.VOID;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Native memory by address, and the C library's allocator.
///
/// As in C, nothing is checked: a wrong address ends the process. Numbers are in the byte order of
/// the machine. No access needs alignment, which costs nothing on the processors we run on.
public final class Memory {
  private static final MemorySegment ALL = Native.allMemory();

  // Not critical: an allocator takes locks and asks the system for memory.
  private static final Call MALLOC = Call.system("malloc", POINTER, SIZE_T);
  private static final Call CALLOC = Call.system("calloc", POINTER, SIZE_T, SIZE_T);
  private static final Call FREE = Call.system("free", VOID, POINTER);

  private Memory() {}

  /// 0 if there is no memory. The result is aligned for everything libuv keeps in it. Any thread.
  public static long malloc(long size) {
    return MALLOC.call(size);
  }

  /// As [#malloc], filled with zeros. Any thread.
  public static long calloc(long count, long size) {
    return CALLOC.call(count, size);
  }

  /// Any thread, whichever allocated. Does nothing with 0.
  public static void free(long address) {
    FREE.call(address);
  }

  public static byte getByte(long address) {
    return ALL.get(JAVA_BYTE, address);
  }

  public static short getShort(long address) {
    return ALL.get(JAVA_SHORT_UNALIGNED, address);
  }

  public static int getInt(long address) {
    return ALL.get(JAVA_INT_UNALIGNED, address);
  }

  public static long getLong(long address) {
    return ALL.get(JAVA_LONG_UNALIGNED, address);
  }

  public static void putByte(long address, byte value) {
    ALL.set(JAVA_BYTE, address, value);
  }

  public static void putShort(long address, short value) {
    ALL.set(JAVA_SHORT_UNALIGNED, address, value);
  }

  public static void putInt(long address, int value) {
    ALL.set(JAVA_INT_UNALIGNED, address, value);
  }

  public static void putLong(long address, long value) {
    ALL.set(JAVA_LONG_UNALIGNED, address, value);
  }

  /// The bytes up to the first NUL, taken as UTF-8.
  public static String getString(long address) {
    return ALL.getString(address);
  }

  /// A C string in memory of its own, which the caller frees; 0 if there is no memory. UTF-8. A NUL
  /// within the text ends it for the C side.
  public static long newString(String text) {
    return newString(text.getBytes(UTF_8));
  }

  /// A C string of bytes that need not be text, in memory of its own, which the caller frees; 0 if there is no memory.
  public static long newString(byte[] bytes) {
    long address = malloc(bytes.length + 1L);
    if (address != 0) {
      copy(bytes, 0, address, bytes.length);
      putByte(address + bytes.length, (byte) 0);
    }
    return address;
  }

  public static void zero(long address, long size) {
    ALL.asSlice(address, size).fill((byte) 0);
  }

  /// The two may overlap.
  public static void copy(long from, long to, long size) {
    MemorySegment.copy(ALL, from, ALL, to, size);
  }

  public static void copy(long from, byte[] to, int index, int length) {
    MemorySegment.copy(ALL, JAVA_BYTE, from, to, index, length);
  }

  public static void copy(byte[] from, int index, long to, int length) {
    MemorySegment.copy(from, index, ALL, JAVA_BYTE, to, length);
  }

  /// Copies into any writable buffer, at an index below its limit. Moves nothing.
  public static void copy(long from, ByteBuffer to, int index, int length) {
    to.put(index, view(from, length), 0, length);
  }

  /// Copies from any buffer, from an index on, up to its limit. Moves nothing.
  public static void copy(ByteBuffer from, int index, long to, int length) {
    view(to, length).put(0, from, index, length);
  }

  /// The memory as a direct buffer, big-endian as every new buffer. It does not keep the memory
  /// alive: whoever hands it out sees to it that nobody uses it after `free`.
  public static ByteBuffer view(long address, long size) {
    return ALL.asSlice(address, size).asByteBuffer();
  }

  /// As [#view(long, long)], but nobody can use it any more, or a part of it, once the arena is closed.
  public static ByteBuffer view(long address, long size, Arena arena) {
    return Native.within(ALL.asSlice(address, size), arena).asByteBuffer();
  }

  /// The address of the direct buffer's index 0, whatever its position; 0 if its memory cannot be used
  /// any more, because it belongs to an arena that was closed. The caller keeps the buffer reachable
  /// while the address is in use.
  public static long address(ByteBuffer direct) {
    if (!direct.isDirect()) throw new AssertionError("not a direct buffer");
    // The one way to the address. It makes objects, which the compiler removes; two calls of it are
    // more than it always inlines.
    MemorySegment segment = MemorySegment.ofBuffer(direct);
    return segment.scope().isAlive() ? segment.address() - direct.position() : 0;
  }
}
