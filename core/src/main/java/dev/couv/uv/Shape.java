// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Collections;

/// How C functions are called, and call back, whatever their own types are: with `long` alone, and as many as fit all.
///
/// The first call of each shape makes the JDK write and load some twenty classes, which takes milliseconds, and a small
/// program would pay for a dozen shapes each time that it starts. So there is one for what has up to six arguments. On all platforms of
/// Couv integers and pointers travel in registers of 64 bits, or in slots of the stack as wide, which the caller takes back:
/// a callee takes the part of each that it knows, and does not see those that it does not know. It leaves the part of the result that it does
/// not know as it was, too, so that whoever asked takes the rest for nothing.
final class Shape {
  private static final int FEW = 6;
  private static final int MANY = 7;

  /// How all functions are called that take at most six arguments.
  static final FunctionDescriptor OF_FEW = descriptor(FEW);

  private static final FunctionDescriptor OF_MANY = descriptor(MANY);
  private static final MethodType FEW_LONGS = OF_FEW.toMethodType();
  private static final MethodType MANY_LONGS = OF_MANY.toMethodType();

  private Shape() {}

  private static FunctionDescriptor descriptor(int arguments) {
    return FunctionDescriptor.of(
        ValueLayout.JAVA_LONG,
        Collections.nCopies(arguments, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new));
  }

  /// How the linker is told to call a function that has this type.
  static FunctionDescriptor descriptor(MethodType type) {
    return type.parameterCount() <= FEW ? OF_FEW : OF_MANY;
  }

  /// The same, as the type of a handle.
  static MethodType longs(MethodType type) {
    return type.parameterCount() <= FEW ? FEW_LONGS : MANY_LONGS;
  }

  /// How far the highest bit of what a function answers is from that of a `long`.
  static int shift(Class<?> result) {
    if (result == short.class) return Long.SIZE - Short.SIZE;
    return result == int.class ? Long.SIZE - Integer.SIZE : 0;
  }

  /// What has this type, seen as something of that shape.
  static MethodHandle widened(MethodHandle function) {
    MethodType type = function.type();
    MethodType longs = longs(type);
    MethodHandle exact =
        MethodHandles.explicitCastArguments(
            function, longs.dropParameterTypes(type.parameterCount(), longs.parameterCount()));
    return MethodHandles.dropArguments(
        exact,
        type.parameterCount(),
        longs.parameterList().subList(type.parameterCount(), longs.parameterCount()));
  }

  /// What has that shape, seen as something of this type.
  static MethodHandle narrowed(MethodHandle shaped, MethodType type) {
    Object[] unknown = new Object[shaped.type().parameterCount() - type.parameterCount()];
    Arrays.fill(unknown, 0L);
    return MethodHandles.explicitCastArguments(
        MethodHandles.insertArguments(shaped, type.parameterCount(), unknown), type);
  }
}
