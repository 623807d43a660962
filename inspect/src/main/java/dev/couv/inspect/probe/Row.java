// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One line of the tree of a loop: a scope or a coroutine, as it was when its turn to be looked at came.
///
/// @param depth how many are around it
/// @param scope whether it is a scope
/// @param id by which it can be cancelled: of a coroutine its number, of a scope one that the probe has given it
/// @param name of a scope its description
/// @param status of a coroutine
/// @param awaiting what a coroutine awaits, in words
/// @param millis for how long it does
/// @param site where a coroutine was spawned
record Row(
    int depth,
    boolean scope,
    long id,
    String name,
    String status,
    @Nullable String awaiting,
    long millis,
    String site) {

  /// As a dump has it.
  String words() {
    StringBuilder line = new StringBuilder("  ".repeat(depth + 1)).append(name);
    if (scope) {
      return line.toString();
    }
    line.append(' ').append(status);
    if (awaiting != null) {
      line.append(", awaiting ").append(awaiting).append(" for ").append(millis).append(" ms");
    }
    return line.append(", spawned at ").append(site).toString();
  }

  /// What kind of thing is awaited: the words up to what differs from one to the next, an address, a time, a number, and
  /// without those that only lead there. They are a prefix of all words.
  static String kind(String awaiting) {
    Matcher found = DETAIL.matcher(awaiting);
    if (!found.find()) {
      return awaiting;
    }
    String words = awaiting.substring(0, found.start());
    return LEADING_THERE.matcher(words).replaceFirst("");
  }

  private static final Pattern DETAIL =
      Pattern.compile("(?<=.)([:/\"(\\d]|\\[(?=[\\p{XDigit}:]*:))");

  private static final Pattern LEADING_THERE =
      Pattern.compile("([ ,;\\[-]|\\b(from|to|at|for|on|in|of|until|by|with|which))+$");
}
