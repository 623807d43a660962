// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import java.util.List;
import java.util.stream.Stream;
import jdk.jshell.SourceCodeAnalysis.Suggestion;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/// What can stand at the cursor, as JShell knows it; those that fit what is expected there come alone, if there are any.
final class JavaCompletion implements Completer {
  private final Session session;

  JavaCompletion(Session session) {
    this.session = session;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    Stream<String> found =
        Commands.isCommand(line.line()) ? Commands.NAMES.stream() : suggestions(line);
    found.distinct().forEach(each -> candidates.add(candidate(each)));
  }

  private Stream<String> suggestions(ParsedLine line) {
    List<Suggestion> all =
        session.analysis().completionSuggestions(line.line(), line.cursor(), new int[1]);
    List<Suggestion> fitting = all.stream().filter(Suggestion::matchesType).toList();
    return (fitting.isEmpty() ? all : fitting).stream().map(Suggestion::continuation);
  }

  /// Java goes on without a blank.
  private static Candidate candidate(String text) {
    return new Candidate(text, text, null, null, null, null, false);
  }
}
