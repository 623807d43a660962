// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.util.regex.Pattern;

/// The names of things, and what the servers know them by.
final class Subjects {
  private static final int LONGEST = 128;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1," + LONGEST + "}");
  private static final String INBOX = "_INBOX";
  private static final int MOST_WORDS = 4;
  private static final int LONGEST_WORD = 64;

  /// By the letter: every message that wants an answer is looked at.
  private static final boolean[] OF_WORDS = new boolean[128];

  static {
    for (char each = 0; each < OF_WORDS.length; each++) {
      OF_WORDS[each] = Character.isLetterOrDigit(each) || each == '_' || each == '-';
    }
  }

  private final String space;

  Subjects(String space) {
    this.space = space;
  }

  /// Names are single tokens of a subject and parts of names of streams: dots, wildcards and spaces
  /// would reach what is not theirs.
  static String check(String what, String name) {
    if (name == null || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          what
              + " needs a name of 1 to "
              + LONGEST
              + " letters, digits, underscores and hyphens, not "
              + (name == null ? "null" : '"' + name + '"'));
    }
    return name;
  }

  /// Whether an answer may be sent there: anything else could be somebody's queue.
  static boolean isInbox(String subject) {
    if (!subject.startsWith(INBOX)) {
      return false;
    }
    int words = 0;
    int at = INBOX.length();
    while (at < subject.length()) {
      if (subject.charAt(at) != '.' || ++words > MOST_WORDS) {
        return false;
      }
      int start = at + 1;
      at = start;
      while (at < subject.length() && isOfAWord(subject.charAt(at))) {
        at++;
      }
      if (at == start || at - start > LONGEST_WORD) {
        return false;
      }
    }
    return words > 0;
  }

  private static boolean isOfAWord(char each) {
    return each < OF_WORDS.length && OF_WORDS[each];
  }

  /// The subject of a thing: `couv.chan.jobs`.
  String of(String kind, String name) {
    return space + '.' + kind + '.' + check(kind, name);
  }

  /// The name of a stream, a bucket or a store: `couv_queue_jobs`.
  String stored(String kind, String name) {
    return space + '_' + kind + '_' + check(kind, name);
  }
}
