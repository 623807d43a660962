// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/// There is something at the path, but no ordinary file: a directory, a named pipe, a device.
public final class NotRegularFileException extends FileSystemException {
  private static final long serialVersionUID = 1L;

  NotRegularFileException(Path path, FileType type) {
    super(path.toString(), null, "no regular file but " + type);
  }
}
