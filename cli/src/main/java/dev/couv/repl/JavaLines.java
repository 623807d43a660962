// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/// Tells JLine when a statement is whole, and which part of a line is being completed.
final class JavaLines implements Parser {
  private final Session session;

  JavaLines(Session session) {
    this.session = session;
  }

  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    if (context == ParseContext.ACCEPT_LINE
        && !Commands.isCommand(line)
        && session.isUnfinished(line)) {
      throw new EOFError(-1, cursor, "unfinished");
    }
    int start = context == ParseContext.COMPLETE ? start(line, cursor) : 0;
    return new Line(line, cursor, line.substring(start, cursor));
  }

  private int start(String line, int cursor) {
    if (Commands.isCommand(line)) {
      return 0;
    }
    int[] anchor = {cursor};
    session.analysis().completionSuggestions(line, cursor, anchor);
    return Math.clamp(anchor[0], 0, cursor);
  }

  @Override
  public boolean isEscapeChar(char character) {
    return false;
  }

  /// A line whose only word is what stands before the cursor.
  private record Line(String line, int cursor, String word) implements CompletingParsedLine {
    @Override
    public int wordCursor() {
      return word.length();
    }

    @Override
    public int wordIndex() {
      return 0;
    }

    @Override
    public List<String> words() {
      return List.of(word);
    }

    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
      return candidate;
    }

    @Override
    public int rawWordCursor() {
      return word.length();
    }

    @Override
    public int rawWordLength() {
      return word.length();
    }
  }
}
