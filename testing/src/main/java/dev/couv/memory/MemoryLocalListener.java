// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.world.LocalHandle;
import dev.couv.world.LocalListenHandle;
import dev.couv.world.LocalName;
import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/// A local socket in memory that listens.
final class MemoryLocalListener extends MemoryListener<LocalHandle> implements LocalListenHandle {
  private final LocalName name;
  private final SocketFile file;

  /// Where it is found, whatever directory its process is in by then.
  private final String key;

  /// What stands for it in the file system.
  interface SocketFile {
    void permissions(Set<PosixFilePermission> permissions) throws IOException;

    void permitAll(boolean readable, boolean writable) throws IOException;

    void remove();
  }

  MemoryLocalListener(
      MemoryProcess process, EventLoop loop, LocalName name, int backlog, SocketFile file) {
    super(process, loop, LocalHandle.class, backlog);
    this.name = name;
    this.file = file;
    key = MemoryLocalSockets.key(process, name);
  }

  @Override
  public LocalName local() {
    return name;
  }

  @Override
  public void permissions(Set<PosixFilePermission> permissions) throws IOException {
    checkUsable();
    file.permissions(permissions);
  }

  @Override
  public void permitAll(boolean readable, boolean writable) throws IOException {
    checkUsable();
    file.permitAll(readable, writable);
  }

  @Override
  void leave() {
    if (!isCutOff()) {
      node().localListeners().remove(key);
      file.remove();
    }
  }

  @Override
  public String toString() {
    return "local listener " + name;
  }
}
