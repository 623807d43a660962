// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Scripts that earlier runs have compiled, one file for each, so that only a changed one is
/// compiled again: half of the time that a small script takes.
///
/// An entry holds while all that javac saw is as it was: the files it was asked for and those it read, whose
/// text is in the entry, the names of the Java files beside the first of them, because a new one can hide an
/// imported class, the library and the JDK. All of that is compared, byte by byte: the name of an entry, a
/// digest of paths and texts, only says where to look.
///
/// A convenience only: what cannot be read or written, and what is damaged, is compiled each time.
final class ScriptCache {
  /// The directory; without it nothing is kept.
  private static final String PROPERTY = "couv.cache";

  private final @Nullable Path directory;

  ScriptCache(@Nullable Path directory) {
    this.directory = directory;
  }

  /// The cache that this process was told of.
  static ScriptCache ofProcess() {
    return new ScriptCache(place());
  }

  /// Where this process may keep what it has found out; null where it may not.
  static @Nullable Path place() {
    String directory = System.getProperty(PROPERTY, "");
    return directory.isEmpty() ? null : Path.of(directory);
  }

  /// The compiled script, if all is as it was.
  Optional<CompiledScript> find(List<Path> sources, List<Path> libraries) {
    if (directory == null || !areFiles(sources)) {
      return Optional.empty();
    }
    try {
      CacheEntry entry = CacheEntry.of(directory, asked(sources), texts(sources));
      CacheEntry.Kept kept = entry.read();
      boolean holds = Arrays.equals(kept.seen(), seen(kept.script().sources(), libraries));
      return holds ? Optional.of(kept.with(libraries)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // there is none, it is damaged, or a source is gone
    }
  }

  /// Keeps a script whose compilation began at `started`. Not if a source has changed since: nobody
  /// knows what javac has read then.
  void keep(List<Path> sources, CompiledScript script, Instant started) {
    if (directory == null || !areFiles(script.sources())) {
      return;
    }
    try {
      byte[] seen = seen(script.sources(), script.libraries());
      for (Path source : script.sources()) {
        if (!Files.getLastModifiedTime(source).toInstant().isBefore(started)) {
          return;
        }
      }
      Files.createDirectories(directory);
      CacheEntry.of(directory, asked(sources), texts(sources))
          .write(new CacheEntry.Kept(script, seen));
      CacheEntry.prune(directory);
    } catch (IOException e) {
      // A full disk, or a directory that is not ours to write: the next run compiles again.
    }
  }

  /// What comes out of a pipe, for example, comes once: it is for javac.
  private static boolean areFiles(List<Path> sources) {
    return sources.stream().allMatch(Files::isRegularFile);
  }

  /// As URIs: those have every byte of a name.
  private static List<String> asked(List<Path> sources) {
    return sources.stream().map(source -> source.toUri().toString()).toList();
  }

  private static List<byte[]> texts(List<Path> sources) throws IOException {
    List<byte[]> texts = new ArrayList<>();
    for (Path source : sources) {
      texts.add(Files.readAllBytes(source));
    }
    return texts;
  }

  /// All that a compilation depends on, in bytes.
  private static byte[] seen(List<Path> files, List<Path> libraries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(Runtime.version().toString());
    List<Path> places = new ArrayList<>(ScriptModule.places());
    places.addAll(libraries);
    for (Path library : places) {
      out.writeUTF(library.toString());
      out.writeUTF(Files.getLastModifiedTime(library).toString());
      out.writeLong(Files.size(library));
    }
    try (Stream<Path> beside = Files.list(files.getFirst().toAbsolutePath().getParent())) {
      for (Path name :
          beside.map(Path::getFileName).filter(ScriptCall::isSource).sorted().toList()) {
        out.writeUTF(name.toString());
      }
    }
    for (Path file : files) {
      byte[] text = Files.readAllBytes(file);
      out.writeUTF(file.toUri().toString());
      out.writeInt(text.length);
      out.write(text);
    }
    return bytes.toByteArray();
  }
}
