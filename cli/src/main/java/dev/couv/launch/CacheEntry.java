// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/// One file of the [ScriptCache]: a mark, a checksum of all that follows, the files that were asked for, the compiled
/// script, and what javac saw.
///
/// Its name is a digest of 64 bits, computed here: the JDK's SHA-256 would take 70 ms of a start that takes 300. Two scripts that
/// share a name replace each other, and never run in each other's place, because what was asked for is compared.
final class CacheEntry {
  private static final String SUFFIX = ".script";
  private static final String DRAFT = "draft";

  /// Changes with the format.
  private static final long MARK = 0x636f7576_00000002L;

  private static final int LARGEST = 64 << 20;
  private static final int MOST_ENTRIES = 200;
  private static final Duration DAY = Duration.ofDays(1);

  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /// A script, and all that its compilation depended on.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares two of them
  record Kept(CompiledScript script, byte[] seen) {
    /// The libraries are not in the entry: who looks for it knows them, and they are part of what was seen.
    CompiledScript with(List<Path> libraries) {
      return new CompiledScript(script.mainClass(), script.classes(), script.sources(), libraries);
    }
  }

  private final Path file;
  private final List<String> asked;

  private CacheEntry(Path file, List<String> asked) {
    this.file = file;
    this.asked = asked;
  }

  /// The entry for files of these names and texts, be it there or not.
  static CacheEntry of(Path directory, List<String> asked, List<byte[]> texts) {
    long digest = FNV_BASIS;
    for (String each : asked) {
      digest = digest(digest, each.getBytes(UTF_8));
    }
    for (byte[] each : texts) {
      digest = digest(digest, each);
    }
    return new CacheEntry(directory.resolve(HexFormat.of().toHexDigits(digest) + SUFFIX), asked);
  }

  /// FNV-1a, over the length and the bytes.
  private static long digest(long before, byte[] bytes) {
    long digest = (before ^ bytes.length) * FNV_PRIME;
    for (byte each : bytes) {
      digest = (digest ^ (each & 0xff)) * FNV_PRIME;
    }
    return digest;
  }

  /// @throws IOException if there is none, if it is of other files, or if it is damaged
  Kept read() throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes()));
    require(in.readLong() == MARK);
    long checksum = in.readLong();
    in.mark(0);
    require(checksum == checksum(in.readAllBytes()));
    in.reset();
    require(in.readInt() == asked.size());
    for (String each : asked) {
      require(each.equals(in.readUTF()));
    }
    String mainClass = in.readUTF();
    Map<String, byte[]> classes = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String name = in.readUTF();
      int length = in.readInt();
      require(length >= 0 && length <= in.available());
      classes.put(name, in.readNBytes(length));
    }
    List<Path> sources = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      sources.add(path(in.readUTF()));
    }
    Kept kept =
        new Kept(new CompiledScript(mainClass, classes, sources, List.of()), in.readAllBytes());
    markAsUsed();
    return kept;
  }

  private static Path path(String uri) throws IOException {
    try {
      return Path.of(URI.create(uri));
    } catch (IllegalArgumentException e) {
      throw new IOException(e);
    }
  }

  /// Only what is a file, and not too large: whatever somebody has put there, this ends.
  private byte[] bytes() throws IOException {
    BasicFileAttributes facts =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    require(facts.isRegularFile() && facts.size() <= LARGEST);
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return in.readNBytes(LARGEST);
    }
  }

  private static void require(boolean holds) throws IOException {
    if (!holds) {
      throw new IOException("not an entry for these files");
    }
  }

  private static long checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return checksum.getValue();
  }

  /// What is used is not pruned.
  private void markAsUsed() {
    try {
      if (isOlderThanADay(file)) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
      }
    } catch (IOException e) {
      // Not ours: whoever owns it prunes it.
    }
  }

  /// All of it or nothing, also if the machine stops: another process may be reading.
  void write(Kept kept) throws IOException {
    byte[] rest = rest(kept);
    ByteBuffer all = ByteBuffer.allocate(2 * Long.BYTES + rest.length);
    all.putLong(MARK).putLong(checksum(rest)).put(rest).flip();
    Path draft = Files.createTempFile(file.getParent(), DRAFT, SUFFIX);
    try {
      try (FileChannel out = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        while (all.hasRemaining()) {
          out.write(all);
        }
        out.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private byte[] rest(Kept kept) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(asked.size());
    for (String each : asked) {
      out.writeUTF(each);
    }
    out.writeUTF(kept.script.mainClass());
    out.writeInt(kept.script.classes().size());
    for (Map.Entry<String, byte[]> each : kept.script.classes().entrySet()) {
      out.writeUTF(each.getKey());
      out.writeInt(each.getValue().length);
      out.write(each.getValue());
    }
    out.writeInt(kept.script.sources().size());
    for (Path source : kept.script.sources()) {
      out.writeUTF(source.toUri().toString());
    }
    out.write(kept.seen);
    return bytes.toByteArray();
  }

  /// Removes the entries that were not used for longest, and drafts that somebody left. What else is in the
  /// directory is not ours.
  static void prune(Path directory) throws IOException {
    Map<Path, FileTime> entries = new HashMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.matches("[0-9a-f]{16}\\" + SUFFIX)) {
          entries.put(file, Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS));
        } else if (name.matches(DRAFT + "[0-9]+\\" + SUFFIX) && isOlderThanADay(file)) {
          Files.deleteIfExists(file);
        }
      }
    }
    List<Path> oldestLast =
        entries.keySet().stream()
            .sorted(Comparator.comparing(entries::get, Comparator.reverseOrder()))
            .skip(MOST_ENTRIES)
            .toList();
    for (Path file : oldestLast) {
      Files.deleteIfExists(file);
    }
  }

  private static boolean isOlderThanADay(Path file) throws IOException {
    Instant modified = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
    return modified.isBefore(Instant.now().minus(DAY));
  }
}
