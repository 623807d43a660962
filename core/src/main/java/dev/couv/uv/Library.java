// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/// The libuv of this process, or why there is none.
///
/// A user who names a library (`-Dcouv.libuv=…`, else `COUV_LIBUV`) gets that one or an error,
/// never another: a file, or `bundled` or `system`. Otherwise the one that comes with the program
/// ([BundledLibrary]) is taken, and else the platform's names are tried in order.
sealed interface Library {
  /// The oldest version we run on, as `uv_version` writes it.
  int OLDEST = 1 << 16 | 44 << 8 | 2;

  String PROPERTY = "couv.libuv";
  String VARIABLE = "COUV_LIBUV";

  /// The artefact that has a [BundledLibrary].
  String BUNDLE = "couv-libuv";

  /// A loaded library that is new enough. `name` is what was asked for, not where it was found; `hasFile`
  /// says whether that can be told.
  record Found(String name, SymbolLookup symbols, int version, boolean hasFile)
      implements Library {}

  /// No usable library; `message` is for the user.
  record Missing(String message) implements Library {}

  /// Loads libuv. Does not throw: the result is held for the life of the process.
  static Library find() {
    List<String> tried = new ArrayList<>();
    for (Candidate candidate : candidates(tried)) {
      Candidate.Opened attempt = candidate.open();
      if (attempt.symbols().isEmpty()) {
        tried.add(candidate.label() + ": " + attempt.whyNot());
        continue;
      }
      SymbolLookup symbols = attempt.symbols().get();
      int version = Native.versionOf(symbols);
      if (version >= OLDEST) {
        return new Found(
            candidate.name(), symbols, version, !(candidate instanceof Candidate.Bundled));
      }
      tried.add(
          candidate.label() + ": " + (version == 0 ? "is not libuv" : "is libuv " + text(version)));
    }
    return new Missing(explain(tried));
  }

  /// The three numbers of a version as `uv_version` packs them.
  static String text(int version) {
    return (version >> 16) + "." + (version >> 8 & 0xff) + "." + (version & 0xff);
  }

  private static List<Candidate> candidates(List<String> tried) {
    String source = "-D" + PROPERTY;
    String choice = System.getProperty(PROPERTY, "");
    if (choice.isEmpty()) {
      source = VARIABLE;
      choice = System.getenv().getOrDefault(VARIABLE, "");
    }
    return switch (choice) {
      case "" -> Stream.concat(bundled(tried), system()).toList();
      case "system" -> system().toList();
      case "bundled" -> bundled(tried).toList();
      default -> List.of(new Candidate.ByName(choice, source));
    };
  }

  /// What comes with the program, if something does.
  private static Stream<Candidate> bundled(List<String> tried) {
    try {
      Optional<BundledLibrary> library =
          ServiceLoader.load(BundledLibrary.class, Library.class.getClassLoader()).findFirst();
      if (library.isEmpty()) tried.add(BUNDLE + ": not among the program's artefacts");
      return library.<Candidate>map(Candidate.Bundled::new).stream();
    } catch (ServiceConfigurationError e) {
      tried.add(BUNDLE + ": " + e.getMessage());
      return Stream.empty();
    }
  }

  private static Stream<Candidate> system() {
    List<String> names =
        switch (Platform.CURRENT) {
          case LINUX -> List.of("libuv.so.1");
          // The loader does not look where Homebrew (on ARM) and MacPorts put their libraries.
          case MACOS ->
              List.of(
                  "libuv.1.dylib",
                  "/opt/homebrew/lib/libuv.1.dylib",
                  "/opt/local/lib/libuv.1.dylib");
          case WINDOWS -> List.of("uv.dll", "libuv.dll");
        };
    return names.stream().map(Candidate.Installed::new);
  }

  private static String explain(List<String> tried) {
    return """
    Couv needs libuv %s or newer and found none that it can use.
    Tried
      %s
    On Linux add the artefact dev.couv:%s to the program, which has it inside, or install it
      Debian, Ubuntu   apt-get install libuv1
      Fedora           dnf install libuv
      Alpine           apk add libuv
      macOS            brew install libuv
      Windows          vcpkg install libuv, and put its bin folder on PATH
    or name the library: -D%s=FILE, or the environment variable %s.\
    """
        .formatted(text(OLDEST), String.join("\n  ", tried), BUNDLE, PROPERTY, VARIABLE);
  }
}
