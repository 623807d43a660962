// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

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

  private static final Call TCGETATTR = Call.errno("tcgetattr", INT, INT, POINTER);
  private static final Call TCSETATTR = Call.errno("tcsetattr", INT, INT, INT, POINTER);
  private static final Call TCFLUSH = Call.errno("tcflush", INT, INT, INT);
  private static final Call TCGETPGRP = Call.errno("tcgetpgrp", INT, INT);
  private static final Call GETPGRP = Call.errno("getpgrp", INT);

  private Termios() {}

  /// Tells how the terminal is set.
  public static int tcgetattr(int fd, long termios) {
    return (int) TCGETATTR.call(fd, termios);
  }

  public static int tcsetattr(int fd, int actions, long termios) {
    return (int) TCSETATTR.call(fd, actions, termios);
  }

  public static int tcflush(int fd, int queue) {
    return (int) TCFLUSH.call(fd, queue);
  }

  /// The group of processes that has the terminal; fails if it is not the terminal of this process.
  public static int tcgetpgrp(int fd) {
    return (int) TCGETPGRP.call(fd);
  }

  /// The group of this process.
  public static int getpgrp() {
    return (int) GETPGRP.call();
  }

  /// In a `struct termios`: what is typed is not shown, except the end of a line.
  public static void hideEcho(long termios) {
    Memory.putInt(termios + C_LFLAG, (Memory.getInt(termios + C_LFLAG) & ~ECHO) | ECHONL);
  }
}
