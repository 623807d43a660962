// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

/// Which characters headers may have (RFC 9110, 5.1 and 5.5).
final class HeaderChars {
  private static final boolean[] TOKEN = new boolean[128];

  static {
    for (char c = 'a'; c <= 'z'; c++) {
      TOKEN[c] = true;
      TOKEN[c - 'a' + 'A'] = true;
    }
    for (char c = '0'; c <= '9'; c++) {
      TOKEN[c] = true;
    }
    for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
      TOKEN[c] = true;
    }
  }

  private HeaderChars() {}

  static void check(String name, String value) {
    if (!isToken(name)) {
      throw new IllegalArgumentException("not a name that a header can have: " + visible(name));
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff) {
        throw new IllegalArgumentException(
            "not a value that the header " + name + " can have: " + visible(value));
      }
    }
  }

  /// Whether it can be a name or a method.
  static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 128 || !TOKEN[c]) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static String visible(String text) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), 80); i++) {
      char c = text.charAt(i);
      shown.append(c < ' ' || c == 0x7f ? '?' : c);
    }
    return "'" + shown + "'";
  }
}
