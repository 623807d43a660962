// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// What libuv does not do for terminals, asked of the system itself. A failed call answers the negated
/// `errno`, as libuv's do. Any thread.
public final class Termios {
  /// More than any system's `struct termios` takes: most of it is put back as it was found.
  public static final long TERMIOS_ROOM = 128;

  /// When what is set holds: at once; when what was written is out.
  public static final int TCSANOW = 0;

  public static final int TCSADRAIN = 1;

  /// What [#tcflush] drops: that which came and was not read.
  public static final int TCIFLUSH = Platform.choose(0, 1, 0);

  /// Its bits are all in the lower four bytes, where it has eight.
  static final long C_LFLAG = Platform.choose(12, 24, 0);

  public static final int ECHO = 0x8;
  public static final int ECHONL = Platform.choose(0x40, 0x10, 0);

  private static final MethodHandle TCGETATTR =
      Binder.bindErrno("tcgetattr", FunctionDescriptor.of(JAVA_INT, JAVA_INT, POINTER));
  private static final MethodHandle TCSETATTR =
      Binder.bindErrno("tcsetattr", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, POINTER));
  private static final MethodHandle TCFLUSH =
      Binder.bindErrno("tcflush", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle TCGETPGRP =
      Binder.bindErrno("tcgetpgrp", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle GETPGRP =
      Binder.bindErrno("getpgrp", FunctionDescriptor.of(JAVA_INT));

  private Termios() {}

  /// Tells how the terminal is set.
  public static int tcgetattr(int fd, long termios) {
    try {
      return (int) TCGETATTR.invokeExact(fd, termios);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int tcsetattr(int fd, int actions, long termios) {
    try {
      return (int) TCSETATTR.invokeExact(fd, actions, termios);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int tcflush(int fd, int queue) {
    try {
      return (int) TCFLUSH.invokeExact(fd, queue);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The group of processes that has the terminal; fails if it is not the terminal of this process.
  public static int tcgetpgrp(int fd) {
    try {
      return (int) TCGETPGRP.invokeExact(fd);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The group of this process.
  public static int getpgrp() {
    try {
      return (int) GETPGRP.invokeExact();
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// In a `struct termios`: what is typed is not shown, except the end of a line.
  public static void hideEcho(long termios) {
    Memory.putInt(termios + C_LFLAG, (Memory.getInt(termios + C_LFLAG) & ~ECHO) | ECHONL);
  }
}
