// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/// A local socket that listens. A file that it made goes with it.
public interface LocalListenHandle extends ListenHandle<LocalHandle> {
  /// Where it listens.
  LocalName local();

  /// Sets who may connect, by the permissions of its file.
  void permissions(Set<PosixFilePermission> permissions) throws IOException;

  /// Lets everybody read, write or both, in addition to who may already.
  void permitAll(boolean readable, boolean writable) throws IOException;
}
