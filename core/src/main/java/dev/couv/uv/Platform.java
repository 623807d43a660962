// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.util.Locale;

/// The platforms whose C headers differ in what we use: the one place that knows what system this is.
public enum Platform {
  LINUX,
  MACOS,
  WINDOWS;

  /// What the JDK calls the system.
  public static final String NAME = System.getProperty("os.name", "");

  static final Platform CURRENT = of(NAME);

  /// What `os.name` stands for. Any other Unix is taken for a Linux: the names and layouts of the
  /// BSDs differ, and the layout test says so there.
  static Platform of(String osName) {
    String name = osName.toLowerCase(Locale.ROOT);
    if (name.startsWith("windows")) return WINDOWS;
    if (name.startsWith("mac") || name.startsWith("darwin")) return MACOS;
    return LINUX;
  }

  /// Whether this is Linux itself, and not another Unix that is taken for one.
  public static boolean isLinux() {
    return NAME.startsWith("Linux");
  }

  /// Whether this is Windows.
  public static boolean isWindows() {
    return CURRENT == WINDOWS;
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
