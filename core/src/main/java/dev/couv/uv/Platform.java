// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.util.Locale;

/// The platforms whose C headers differ in what we use.
enum Platform {
  LINUX,
  MACOS,
  WINDOWS;

  static final Platform CURRENT = of(System.getProperty("os.name", ""));

  /// What `os.name` stands for. Any other Unix is taken for a Linux: the names and layouts of the
  /// BSDs differ, and the layout test says so there.
  static Platform of(String osName) {
    String name = osName.toLowerCase(Locale.ROOT);
    if (name.startsWith("windows")) return WINDOWS;
    if (name.startsWith("mac") || name.startsWith("darwin")) return MACOS;
    return LINUX;
  }

  /// The value for this platform.
  static int choose(int linux, int macos, int windows) {
    return switch (CURRENT) {
      case LINUX -> linux;
      case MACOS -> macos;
      case WINDOWS -> windows;
    };
  }
}
