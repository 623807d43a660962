// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.io.IOException;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/// A place where libuv may be. Asked once, for [Library]; does not throw.
sealed interface Candidate {
  String name();

  /// The name, and who gave it.
  default String label() {
    return name();
  }

  /// The library, loaded; or why it cannot be.
  Opened open();

  /// What came of it: `symbols` are there, or `whyNot` is not empty.
  record Opened(Optional<SymbolLookup> symbols, String whyNot) {
    static Opened failed(String why) {
      return new Opened(Optional.empty(), why);
    }
  }

  /// What the system's loader finds under one of its names.
  record Installed(String name) implements Candidate {
    @Override
    public Opened open() {
      return new Opened(Native.open(name), "not found by the system's loader");
    }
  }

  /// The file that the user names by a setting, `source`.
  record ByName(String name, String source) implements Candidate {
    @Override
    public String label() {
      return name + " (from " + source + ")";
    }

    @Override
    public Opened open() {
      try {
        Path path = Path.of(name);
        return new Opened(
            Native.open(path),
            Files.exists(path) ? "not a library that this JVM can load" : "no such file");
      } catch (InvalidPathException e) {
        return Opened.failed("not a file name");
      }
    }
  }

  /// What comes with the program. From memory; from a file where the system or the user wants that.
  record Bundled(BundledLibrary library) implements Candidate {
    @Override
    public String name() {
      return library.name();
    }

    @Override
    public Opened open() {
      String refusal = library.refusal(Native.glibc());
      if (!refusal.isEmpty()) return Opened.failed(refusal);
      try {
        if (System.getProperty(BundledLibrary.DIRECTORY, "").isEmpty()) {
          Optional<SymbolLookup> symbols = Memfd.load("libuv", library.bytes());
          if (symbols.isPresent()) return new Opened(symbols, "");
        }
        return openFile(library.unpack());
      } catch (IOException e) {
        return Opened.failed(String.valueOf(e.getMessage()));
      }
    }

    private Opened openFile(Path file) {
      try {
        Optional<SymbolLookup> symbols = Native.open(file);
        return new Opened(symbols, symbols.isPresent() ? "" : library.whyNot(file));
      } finally {
        library.remove(file); // a loaded library is a mapping
      }
    }
  }
}
