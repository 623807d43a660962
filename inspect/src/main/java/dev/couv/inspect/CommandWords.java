// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The words that a JVM was started with, in parts: its options, where its classes are, its main class and its arguments.
///
/// @param options those of the VM
/// @param places the elements of class path and module path, and the jar of `-jar`
/// @param main the main class, module or jar
/// @param arguments those of the program
record CommandWords(
    List<String> options, List<String> places, String main, List<String> arguments) {
  private static final Set<String> PATHS =
      Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");
  private static final Set<String> WITH_VALUE =
      Set.of(
          "--add-modules",
          "--add-opens",
          "--add-exports",
          "--add-reads",
          "--limit-modules",
          "--upgrade-module-path",
          "--patch-module",
          "--enable-native-access",
          "--source");

  /// What is silent about loaded agents says so.
  static final String SILENT = "-XX:+EnableDynamicAgentLoading";

  /// Without the first word, which is `java` itself.
  static CommandWords parse(List<String> words) {
    List<String> options = new ArrayList<>();
    List<String> places = new ArrayList<>();
    int at = 0;
    for (; at < words.size() && words.get(at).startsWith("-"); at++) {
      String word = words.get(at);
      String value = at + 1 < words.size() ? words.get(at + 1) : "";
      if (PATHS.contains(word)) {
        places.addAll(List.of(value.split(":")));
        at++;
      } else if (word.startsWith("--class-path=") || word.startsWith("--module-path=")) {
        places.addAll(List.of(word.substring(word.indexOf('=') + 1).split(":")));
      } else if (word.equals("-jar")) {
        places.add(value);
        at++;
        return new CommandWords(options, places, value, rest(words, at + 1));
      } else if (word.equals("-m") || word.equals("--module")) {
        at++;
        return new CommandWords(options, places, value, rest(words, at + 1));
      } else if (WITH_VALUE.contains(word)) {
        at++;
      } else {
        options.add(word);
      }
    }
    return new CommandWords(
        options, places, at < words.size() ? words.get(at) : "", rest(words, at + 1));
  }

  private static List<String> rest(List<String> words, int from) {
    return from < words.size() ? words.subList(from, words.size()) : List.of();
  }

  /// What the user would call it: `run hello.java` is more than the name of the launcher.
  String title() {
    String all = String.join(" ", arguments);
    if (main.equals("dev.couv.launch.Main")) {
      return "couv " + all;
    }
    return arguments.isEmpty() ? main : main + " " + all;
  }
}
