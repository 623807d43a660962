// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The libuv of this process, or why there is none.
///
/// A user who names a library (`-Dcouv.libuv=…`, else `COUV_LIBUV`) gets that one or an error,
/// never another. Otherwise the platform's names are tried in order.
sealed interface Library {
  /// The oldest version we run on, as `uv_version` writes it.
  int OLDEST = 1 << 16 | 44 << 8 | 2;

  String PROPERTY = "couv.libuv";
  String VARIABLE = "COUV_LIBUV";

  /// A loaded library that is new enough. `name` is what was asked for, not where it was found.
  record Found(String name, SymbolLookup symbols, int version) implements Library {}

  /// No usable library; `message` is for the user.
  record Missing(String message) implements Library {}

  /// Loads libuv. Does not throw: the result is held for the life of the process.
  static Library find() {
    List<String> tried = new ArrayList<>();
    for (Candidate candidate : candidates()) {
      Optional<SymbolLookup> symbols = candidate.open();
      if (symbols.isEmpty()) {
        tried.add(candidate + ": " + candidate.whyNot());
        continue;
      }
      int version = Native.versionOf(symbols.get());
      if (version >= OLDEST) return new Found(candidate.name, symbols.get(), version);
      tried.add(candidate + ": " + (version == 0 ? "is not libuv" : "is libuv " + text(version)));
    }
    return new Missing(explain(tried));
  }

  /// The three numbers of a version as `uv_version` packs them.
  static String text(int version) {
    return (version >> 16) + "." + (version >> 8 & 0xff) + "." + (version & 0xff);
  }

  private static List<Candidate> candidates() {
    String property = System.getProperty(PROPERTY, "");
    if (!property.isEmpty()) return List.of(new Candidate(property, "-D" + PROPERTY));
    String variable = System.getenv().getOrDefault(VARIABLE, "");
    if (!variable.isEmpty()) return List.of(new Candidate(variable, VARIABLE));
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
    return names.stream().map(name -> new Candidate(name, "")).toList();
  }

  private static String explain(List<String> tried) {
    return """
    Couv needs libuv %s or newer and found none that it can use.
    Tried
      %s
    Install it
      Debian, Ubuntu   apt-get install libuv1
      Fedora           dnf install libuv
      Alpine           apk add libuv
      macOS            brew install libuv
      Windows          vcpkg install libuv, and put its bin folder on PATH
    or name the library: -D%s=FILE, or the environment variable %s.\
    """
        .formatted(text(OLDEST), String.join("\n  ", tried), PROPERTY, VARIABLE);
  }

  /// A name to try; `source` is the setting it comes from, empty for a name of our own.
  record Candidate(String name, String source) {
    Optional<SymbolLookup> open() {
      if (source.isEmpty()) return Native.open(name);
      try {
        return Native.open(Path.of(name));
      } catch (InvalidPathException e) {
        return Optional.empty();
      }
    }

    String whyNot() {
      if (source.isEmpty()) return "not found by the system's loader";
      try {
        if (!Files.exists(Path.of(name))) return "no such file";
      } catch (InvalidPathException e) {
        return "not a file name";
      }
      return "not a library that this JVM can load";
    }

    @Override
    public String toString() {
      return source.isEmpty() ? name : name + " (from " + source + ")";
    }
  }
}
