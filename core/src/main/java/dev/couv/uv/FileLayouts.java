// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Struct.bytes;
import static dev.couv.uv.Struct.ints;
import static dev.couv.uv.Struct.longs;
import static dev.couv.uv.Struct.offset;
import static dev.couv.uv.Struct.padding;
import static dev.couv.uv.Struct.pointers;
import static dev.couv.uv.Struct.struct;

import java.lang.foreign.StructLayout;

/// The C structs and the numbers of the file system. A test compiles `tools/layout-probe.c` and
/// compares all of it.
public final class FileLayouts {
  /// Two words on Unix, two half words on Windows.
  private static final int TIMESPEC_SIZE = Platform.CURRENT == Platform.WINDOWS ? 8 : 16;

  static final StructLayout UV_STAT_T =
      struct(
          longs("st_dev", "st_mode", "st_nlink", "st_uid", "st_gid", "st_rdev", "st_ino"),
          longs("st_size", "st_blksize", "st_blocks", "st_flags", "st_gen"),
          bytes(TIMESPEC_SIZE, "st_atim", "st_mtim", "st_ctim", "st_birthtim"));

  public static final StructLayout UV_STATFS_T =
      struct(
          longs("f_type", "f_bsize", "f_blocks", "f_bfree", "f_bavail", "f_files", "f_ffree"),
          padding(32));

  static final StructLayout UV_DIRENT_T = struct(pointers("name"), ints("type"), padding(4));

  /// The part of it that is public: libuv allocates it.
  static final StructLayout UV_DIR_T = struct(pointers("dirents"), longs("nentries"), padding(40));

  public static final long STAT_DEV = offset(UV_STAT_T, "st_dev");
  public static final long STAT_MODE = offset(UV_STAT_T, "st_mode");
  public static final long STAT_NLINK = offset(UV_STAT_T, "st_nlink");
  public static final long STAT_UID = offset(UV_STAT_T, "st_uid");
  public static final long STAT_GID = offset(UV_STAT_T, "st_gid");
  public static final long STAT_RDEV = offset(UV_STAT_T, "st_rdev");
  public static final long STAT_INO = offset(UV_STAT_T, "st_ino");
  public static final long STAT_SIZE = offset(UV_STAT_T, "st_size");
  public static final long STAT_BLKSIZE = offset(UV_STAT_T, "st_blksize");
  public static final long STAT_BLOCKS = offset(UV_STAT_T, "st_blocks");
  public static final long STAT_FLAGS = offset(UV_STAT_T, "st_flags");
  public static final long STAT_GEN = offset(UV_STAT_T, "st_gen");
  public static final long STAT_ATIM = offset(UV_STAT_T, "st_atim");
  public static final long STAT_MTIM = offset(UV_STAT_T, "st_mtim");
  public static final long STAT_CTIM = offset(UV_STAT_T, "st_ctim");
  public static final long STAT_BIRTHTIM = offset(UV_STAT_T, "st_birthtim");

  public static final long DIRENT_SIZE = UV_DIRENT_T.byteSize();
  public static final long DIRENT_NAME = offset(UV_DIRENT_T, "name");
  public static final long DIRENT_TYPE = offset(UV_DIRENT_T, "type");

  public static final long DIR_DIRENTS = offset(UV_DIR_T, "dirents");
  public static final long DIR_NENTRIES = offset(UV_DIR_T, "nentries");

  public static final int UV_FS_O_RDONLY = 0;
  public static final int UV_FS_O_WRONLY = 1;
  public static final int UV_FS_O_RDWR = 2;
  public static final int UV_FS_O_CREAT = Platform.choose(0x40, 0x200, 0x100);
  public static final int UV_FS_O_EXCL = Platform.choose(0x80, 0x800, 0x400);
  public static final int UV_FS_O_TRUNC = Platform.choose(0x200, 0x400, 0x200);
  public static final int UV_FS_O_APPEND = Platform.choose(0x400, 8, 8);
  public static final int UV_FS_O_DSYNC = Platform.choose(0x1000, 0x40_0000, 0x400_0000);
  public static final int UV_FS_O_SYNC = Platform.choose(0x10_1000, 0x80, 0x800_0000);

  /// On Linux these two are not the same on all processors.
  private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");

  public static final int UV_FS_O_DIRECTORY =
      Platform.choose(ARM ? 0x4000 : 0x1_0000, 0x10_0000, 0);
  public static final int UV_FS_O_NOFOLLOW = Platform.choose(ARM ? 0x8000 : 0x2_0000, 0x100, 0);

  public static final int S_IFMT = 0xF000;
  public static final int S_IFIFO = 0x1000;
  public static final int S_IFCHR = 0x2000;
  public static final int S_IFDIR = 0x4000;
  public static final int S_IFBLK = 0x6000;
  public static final int S_IFREG = 0x8000;
  public static final int S_IFLNK = 0xA000;
  public static final int S_IFSOCK = 0xC000;

  public static final int F_OK = 0;
  public static final int X_OK = 1;
  public static final int W_OK = 2;
  public static final int R_OK = 4;

  private FileLayouts() {}

  /// The seconds of a `uv_timespec_t`.
  public static long seconds(long timespec) {
    return TIMESPEC_SIZE == 8 ? Memory.getInt(timespec) : Memory.getLong(timespec);
  }

  /// The nanoseconds of a `uv_timespec_t`.
  public static long nanos(long timespec) {
    return TIMESPEC_SIZE == 8 ? Memory.getInt(timespec + 4) : Memory.getLong(timespec + 8);
  }
}
