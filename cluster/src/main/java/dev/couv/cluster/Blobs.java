// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Vault;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A store for what is too large for a message: files, models, archives. All processes see the
/// same; each thing is put as a whole, and one that is there is replaced.
///
/// Files are read and written on another thread than the loop's. A cancelled put leaves what was
/// there before.
public final class Blobs {
  private final Peer peer;
  private final Vault vault;
  private final String title;

  /// What is there under a name.
  ///
  /// @param size in bytes
  public record Blob(String name, long size) {}

  private Blobs(Peer peer, Vault vault, String title) {
    this.peer = peer;
    this.vault = vault;
    this.title = title;
  }

  static Blobs open(Peer peer, String name) throws Exception {
    String place = peer.subjects().stored("objects", name);
    Vault vault = peer.link().vault(place, peer.options().replicas());
    return new Blobs(peer, vault, "objects \"" + name + '"');
  }

  private static String check(String name) {
    return Keys.check("the name of an object", name);
  }

  private Vault vault() {
    peer.link();
    return vault;
  }

  /// Puts bytes.
  public void put(String name, byte[] bytes) throws Exception {
    vault().put(check(name), () -> new ByteArrayInputStream(bytes));
  }

  /// Puts a file.
  public void put(String name, Path file) throws Exception {
    Objects.requireNonNull(file, "file");
    vault().put(check(name), () -> Files.newInputStream(file));
  }

  /// The bytes of that name, if there are at most so many; null if there is none of that name.
  ///
  /// @throws CodecException if there are more
  public byte @Nullable [] get(String name, int limit) throws Exception {
    Vault.Thing thing = vault().find(check(name));
    if (thing == null) {
      return null;
    }
    if (thing.size() > limit) {
      throw new CodecException(
          name + " of " + title + " has " + thing.size() + " bytes, more than " + limit, null);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    return vault().get(name, writing -> writing.to(bytes)) ? bytes.toByteArray() : null;
  }

  /// Writes it to a file, which is replaced when all of it is there.
  ///
  /// @throws NoSuchFileException if there is none of that name
  public void get(String name, Path file) throws Exception {
    Objects.requireNonNull(file, "file");
    if (!vault().get(check(name), writing -> replace(file, writing))) {
      throw new NoSuchFileException(name, null, "none of " + title);
    }
  }

  /// By what is written. On another thread.
  private static void replace(Path file, Vault.Writing writing) throws Exception {
    Path part =
        Files.createTempFile(file.toAbsolutePath().getParent(), file.getFileName() + ".", ".part");
    try {
      try (OutputStream to = Files.newOutputStream(part)) {
        writing.to(to);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /// What is there under that name, or null.
  public @Nullable Blob find(String name) throws Exception {
    Vault.Thing thing = vault().find(check(name));
    return thing == null ? null : new Blob(thing.name(), thing.size());
  }

  /// Removes it; false if there was none.
  public boolean remove(String name) throws Exception {
    return vault().delete(check(name));
  }

  /// All that is there, by name.
  public List<Blob> list() throws Exception {
    return vault().list().stream().map(each -> new Blob(each.name(), each.size())).toList();
  }

  @Override
  public String toString() {
    return title;
  }
}
