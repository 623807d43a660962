// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.error.UvException;
import dev.couv.world.FileCall;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Questions whose answer may be a failure of the system that is none: a file that is not there, or
/// not allowed.
final class Asking {
  private Asking() {}

  static boolean exists(Way way, Path path) throws IOException {
    try {
      way.make(Way.files().access(path));
      return true;
    } catch (IOException failed) {
      throwUnlessAbsent(failed);
      return false;
    }
  }

  static @Nullable FileInfo info(Way way, Path path) throws IOException {
    try {
      return way.make(Way.files().stat(path, FileInfo::new));
    } catch (IOException failed) {
      throwUnlessAbsent(failed);
      return null;
    }
  }

  private static void throwUnlessAbsent(IOException failed) throws IOException {
    String code = failed instanceof UvException system ? system.code() : "";
    switch (code) {
      // By way of no directory, of a link that leads to itself; no file has such a name.
      case "ENOTDIR", "ELOOP", "ENAMETOOLONG" -> {}
      default -> {
        if (!(failed instanceof NoSuchFileException)) {
          throw failed;
        }
      }
    }
  }

  /// Whether there is a directory: absent is not one.
  static boolean isDirectory(Way way, FileCall<FileInfo> asked) throws IOException {
    try {
      return way.make(asked).isDirectory();
    } catch (NoSuchFileException absent) {
      return false;
    }
  }

  static boolean access(Way way, Path path, AccessMode... modes) throws IOException {
    try {
      way.make(Way.files().access(path, modes));
      return true;
    } catch (AccessDeniedException denied) {
      return false;
    } catch (UvException e) {
      if (e.code().equals("EROFS") || e.code().equals("ETXTBSY")) {
        return false;
      }
      throw e;
    }
  }
}
