// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import java.util.Map;

/// Writes JSON: no more than a probe needs, because it brings no library into somebody else's process.
///
/// What it writes is also fit to stand in a script of a page: `<` and the line ends that only JavaScript knows are escaped.
public final class Json {
  private final StringBuilder out = new StringBuilder();

  /// Whether a comma is due before the next value.
  private boolean comma;

  public Json open(char bracket) {
    separate();
    out.append(bracket);
    comma = false;
    return this;
  }

  public Json close(char bracket) {
    out.append(bracket);
    comma = true;
    return this;
  }

  public Json key(String name) {
    string(name);
    out.append(':');
    comma = false;
    return this;
  }

  public Json string(String text) {
    separate();
    out.append('"');
    for (int at = 0; at < text.length(); at++) {
      char next = text.charAt(at);
      switch (next) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        default -> {
          boolean odd =
              next < ' '
                  || next == '<'
                  || next == '\u2028'
                  || next == '\u2029'
                  || isAlone(text, at);
          if (odd) {
            out.append("\\u%04x".formatted((int) next));
          } else {
            out.append(next);
          }
        }
      }
    }
    out.append('"');
    comma = true;
    return this;
  }

  /// Half of a pair, which cannot be written as UTF-8.
  private static boolean isAlone(String text, int at) {
    char here = text.charAt(at);
    if (Character.isHighSurrogate(here)) {
      return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
    }
    return Character.isLowSurrogate(here)
        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }

  public Json number(long value) {
    separate();
    out.append(value);
    comma = true;
    return this;
  }

  public Json flag(boolean value) {
    separate();
    out.append(value);
    comma = true;
    return this;
  }

  /// Strings, numbers and truths, by their names.
  public Json object(Map<String, ?> values) {
    open('{');
    values.forEach(
        (name, value) -> {
          key(name);
          switch (value) {
            case Boolean flag -> flag(flag);
            case Number number -> number(number.longValue());
            default -> string(String.valueOf(value));
          }
        });
    return close('}');
  }

  private void separate() {
    if (comma) {
      out.append(',');
    }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
