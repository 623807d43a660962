// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

/// A stretch of bytes for reading or writing: `uv_buf_t`, of [Layouts#UV_BUF_SIZE] bytes.
///
/// In place of `uv_buf_init`, which returns a struct. The order of the fields and the width of
/// `len` depend on the platform.
public final class UvBuf {
  private UvBuf() {}

  public static long base(long buf) {
    return Memory.getLong(buf + Layouts.UV_BUF_BASE);
  }

  public static long len(long buf) {
    return Platform.CURRENT == Platform.WINDOWS
        ? Integer.toUnsignedLong(Memory.getInt(buf + Layouts.UV_BUF_LEN))
        : Memory.getLong(buf + Layouts.UV_BUF_LEN);
  }

  public static void set(long buf, long base, long len) {
    Memory.putLong(buf + Layouts.UV_BUF_BASE, base);
    if (Platform.CURRENT == Platform.WINDOWS) {
      Memory.putInt(buf + Layouts.UV_BUF_LEN, (int) len);
    } else {
      Memory.putLong(buf + Layouts.UV_BUF_LEN, len);
    }
  }
}
