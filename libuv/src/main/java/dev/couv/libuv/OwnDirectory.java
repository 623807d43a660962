// SPDX-License-Identifier: Apache-2.0
package dev.couv.libuv;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.couv.uv.BundledLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/// Where the library is written to, if it must be a file: a new directory below `parent` with a random name, that only
/// this user can enter. It is there from the unpacking to the loading, and never used twice: so nobody can have
/// prepared it, two processes do not meet, and nothing is left behind.
record OwnDirectory(Path parent) {
  private static final int WRITABLE_BY_OTHERS = 0022;
  private static final int STICKY = 01000;

  private static final FileAttribute<?> OURS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /// The one that the user names, else the system's for temporary files.
  static OwnDirectory chosen() throws IOException {
    String name = System.getProperty(BundledLibrary.DIRECTORY, "");
    try {
      return new OwnDirectory(
          Path.of(name.isEmpty() ? System.getProperty("java.io.tmpdir", "/tmp") : name));
    } catch (InvalidPathException e) {
      throw new IOException(
          "not a directory: " + name + " (from -D" + BundledLibrary.DIRECTORY + ")", e);
    }
  }

  /// The file is the caller's, who removes it.
  Path write(byte[] library) throws IOException {
    Path directory;
    try {
      // mkdir with this mode: fails if the name is there, also as a link.
      directory = Files.createTempDirectory(parent, "couv-", OURS);
    } catch (IOException e) {
      throw failed(e);
    }
    Path file = directory.resolve("libuv.so.1");
    try {
      requireThatNobodyElseCanReplace(directory);
      write(library, file);
      return file;
    } catch (IOException e) {
      remove(file);
      throw failed(e);
    }
  }

  private static void write(byte[] library, Path file) throws IOException {
    try (SeekableByteChannel channel =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, NOFOLLOW_LINKS),
            OURS)) {
      for (ByteBuffer rest = ByteBuffer.wrap(library); rest.hasRemaining(); ) {
        channel.write(rest);
      }
    }
  }

  /// Whoever may rename a directory on the way could put another in its place before the library is loaded.
  private void requireThatNobodyElseCanReplace(Path directory) throws IOException {
    int us = (int) Files.getAttribute(directory, "unix:uid", NOFOLLOW_LINKS);
    for (Path each = parent.toRealPath(); each != null; each = each.getParent()) {
      int owner = (int) Files.getAttribute(each, "unix:uid", NOFOLLOW_LINKS);
      int mode = (int) Files.getAttribute(each, "unix:mode", NOFOLLOW_LINKS);
      if (owner != us && owner != 0) throw new IOException(each + " belongs to another user");
      if ((mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0) {
        throw new IOException("others may rename what is in " + each);
      }
    }
  }

  private IOException failed(IOException e) {
    return new IOException(
        "cannot be unpacked in "
            + parent
            + ": "
            + reason(e)
            + "; -D"
            + BundledLibrary.DIRECTORY
            + "=DIR names another directory",
        e);
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such directory";
      case AccessDeniedException _ -> "permission denied";
      case FileSystemException f when f.getReason() != null -> f.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }

  /// Does not throw: what cannot be removed is in nobody's way.
  static void remove(Path file) {
    for (Path each : new Path[] {file, file.getParent()}) {
      try {
        Files.deleteIfExists(each);
      } catch (IOException _) {
        return;
      }
    }
  }

  /// Why a file that was written could not be loaded.
  static String whyNot(Path file) {
    return isNoexec(file)
        ? "cannot be loaded from "
            + file
            + ": that is mounted noexec; -D"
            + BundledLibrary.DIRECTORY
            + "=DIR names another directory"
        : "not a library that this JVM can load";
  }

  /// What the kernel says of the mount that the file is on: the deepest of all that it is below, and of several on the same
  /// place the last, which hides the others.
  private static boolean isNoexec(Path file) {
    try {
      Path real = file.toRealPath();
      return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
          .map(line -> line.split(" "))
          .filter(mount -> real.startsWith(mount[1].replace("\\040", " ")))
          .reduce((one, next) -> next[1].length() >= one[1].length() ? next : one)
          .map(mount -> List.of(mount[3].split(",")).contains("noexec"))
          .orElse(false);
    } catch (IOException e) {
      return false;
    }
  }
}
