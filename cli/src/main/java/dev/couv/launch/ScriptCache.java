// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Scripts that earlier runs have compiled, one file for each, so that only a changed one is
/// compiled again: half of the time that a small script takes.
///
/// An entry holds while all that javac saw is as it was: the files it read, whose text is in the
/// entry, the names of the Java files beside the first of them, because a new one can hide an
/// imported class, the library and the JDK.
///
/// A convenience only: what cannot be read or written is compiled each time.
final class ScriptCache {
  /// The directory; without it nothing is kept.
  private static final String PROPERTY = "couv.cache";

  private final @Nullable Path directory;

  ScriptCache(@Nullable Path directory) {
    this.directory = directory;
  }

  /// The cache that this process was told of.
  static ScriptCache ofProcess() {
    String directory = System.getProperty(PROPERTY, "");
    return new ScriptCache(directory.isEmpty() ? null : Path.of(directory));
  }

  /// The compiled script, if all is as it was.
  Optional<CompiledScript> find(List<Path> sources) {
    if (directory == null) {
      return Optional.empty();
    }
    Path entry = entry(directory, sources);
    if (!Files.exists(entry)) {
      return Optional.empty();
    }
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(entry)))) {
      CompiledScript script = CompiledScript.read(in);
      boolean holds = Arrays.equals(in.readAllBytes(), seen(script.sources()));
      return holds ? Optional.of(script) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // a source is gone, or the entry is damaged
    }
  }

  /// Keeps a script whose compilation began at `started`. Not if a source has changed since: nobody
  /// knows what javac has read then.
  void keep(List<Path> sources, CompiledScript script, Instant started) {
    if (directory == null) {
      return;
    }
    try {
      byte[] seen = seen(script.sources());
      for (Path source : script.sources()) {
        if (!Files.getLastModifiedTime(source).toInstant().isBefore(started)) {
          return;
        }
      }
      Files.createDirectories(directory);
      Path draft = Files.createTempFile(directory, "draft", "");
      try (DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(draft)))) {
        script.write(out);
        out.write(seen);
      }
      // Another process may be reading it.
      Files.move(draft, entry(directory, sources), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // A full disk, or a directory that is not ours to write: the next run compiles again.
    }
  }

  /// Where the script of these sources is kept; two scripts that share a place replace each other.
  private static Path entry(Path directory, List<Path> sources) {
    List<Path> places = sources.stream().map(Path::toAbsolutePath).toList();
    return directory.resolve(
        sources.getFirst().getFileName() + "-" + Integer.toHexString(places.hashCode()));
  }

  /// All that a compilation depends on, in bytes.
  private static byte[] seen(List<Path> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    Path library = ScriptCompiler.library();
    out.writeUTF(Runtime.version().toString());
    out.writeUTF(library.toString());
    out.writeUTF(Files.getLastModifiedTime(library).toString());
    try (Stream<Path> beside = Files.list(files.getFirst().toAbsolutePath().getParent())) {
      for (Path name :
          beside.map(Path::getFileName).filter(ScriptCall::isSource).sorted().toList()) {
        out.writeUTF(name.toString());
      }
    }
    for (Path file : files) {
      out.writeUTF(file.toString());
      out.write(Files.readAllBytes(file));
    }
    return bytes.toByteArray();
  }
}
