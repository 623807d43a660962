// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// Linux's own events of directories. libuv has them, too, but tells neither that some were lost nor what
/// they were: a file that was made, one that was removed and one that was renamed look the same.
///
/// A failed call answers the negated `errno`. Any thread.
public final class Inotify {
  public static final int IN_NONBLOCK = 0x800;
  public static final int IN_CLOEXEC = 0x80000;

  public static final int IN_MODIFY = 0x2;
  public static final int IN_ATTRIB = 0x4;
  public static final int IN_MOVED_FROM = 0x40;
  public static final int IN_MOVED_TO = 0x80;
  public static final int IN_CREATE = 0x100;
  public static final int IN_DELETE = 0x200;
  public static final int IN_DELETE_SELF = 0x400;
  public static final int IN_MOVE_SELF = 0x800;
  public static final int IN_UNMOUNT = 0x2000;
  public static final int IN_Q_OVERFLOW = 0x4000;
  public static final int IN_IGNORED = 0x8000;
  public static final int IN_ONLYDIR = 0x100_0000;
  public static final int IN_DONT_FOLLOW = 0x200_0000;
  public static final int IN_EXCL_UNLINK = 0x400_0000;
  public static final int IN_MASK_ADD = 0x2000_0000;
  public static final int IN_ISDIR = 0x4000_0000;

  /// Of `struct inotify_event`, whose name follows it.
  public static final long EVENT_SIZE = 16;

  public static final long EVENT_WD = 0;
  public static final long EVENT_MASK = 4;
  public static final long EVENT_LEN = 12;

  private static final Call INIT1 = Call.errno("inotify_init1", INT, INT);
  private static final Call ADD_WATCH = Call.errno("inotify_add_watch", INT, INT, POINTER, INT);
  private static final Call RM_WATCH = Call.errno("inotify_rm_watch", INT, INT, INT);

  private Inotify() {}

  /// A descriptor, readable when something has happened.
  public static int inotify_init1(int flags) {
    return (int) INIT1.call(flags);
  }

  /// A number for the directory, the same one if it is watched already.
  public static int inotify_add_watch(int fd, long pathname, int mask) {
    return (int) ADD_WATCH.call(fd, pathname, mask);
  }

  public static int inotify_rm_watch(int fd, int wd) {
    return (int) RM_WATCH.call(fd, wd);
  }
}
