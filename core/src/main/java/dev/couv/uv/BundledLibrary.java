// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import java.io.IOException;
import java.nio.file.Path;

/// A libuv that comes with the program: what the artefact `couv-libuv` provides, as a service. It is for the
/// system and the processor of this process, or refuses. Any thread.
public interface BundledLibrary {
  /// The system property that names a directory: the library is unpacked below it, and not loaded out of memory.
  String DIRECTORY = "couv.libuv.directory";

  /// What it is and where it is from, for messages.
  String name();

  /// Why it cannot be used here, for the user; empty if it can. `glibc` is the version of this process's C
  /// library, empty if that is another one.
  String refusal(String glibc);

  /// The library itself.
  byte[] bytes() throws IOException;

  /// Writes it to a file that nobody else can have prepared or can change. It belongs to the caller, who
  /// calls [#remove] as soon as it is loaded.
  Path unpack() throws IOException;

  /// Removes what [#unpack] made.
  void remove(Path file);

  /// What to tell the user if the unpacked file could not be loaded.
  String whyNot(Path file);
}
