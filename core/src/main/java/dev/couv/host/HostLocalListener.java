// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.Layouts;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixSocket;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPipe;
import dev.couv.world.LocalListenHandle;
import dev.couv.world.LocalName;
import dev.couv.world.LocalSockets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/// A local socket of libuv's that listens. libuv removes a file that it made when the handle is closed.
final class HostLocalListener extends HostListener<HostLocal> implements LocalListenHandle {
  private static final int SOCKET_FILE = 0xc000;
  private static final int FILE_TYPE = 0xf000;

  private final LocalName name;

  HostLocalListener(EventLoop loop, LocalName name) {
    super(loop, UvHandle.UV_NAMED_PIPE);
    this.name = name;
  }

  static HostLocalListener open(
      EventLoop loop, LocalName name, LocalSockets.ListenSettings settings) throws IOException {
    HostLocalListener listener = new HostLocalListener(loop, name);
    Failures.checkSocket(listener.init(), "listen", name);
    try {
      listener.bind(settings.replaceStale());
      if (settings.permissions() != null && !name.isAbstract()) {
        listener.permissions(settings.permissions());
      }
      Failures.checkSocket(listener.listen(settings.backlog()), "listen", name);
      return listener;
    } catch (Throwable failed) {
      listener.close();
      throw failed;
    }
  }

  private void bind(boolean replaceStale) throws IOException {
    if (name.isAbstract()) {
      Failures.checkSocket(bindAbstract(), "bind", name);
      return;
    }
    int code = bindPath();
    if (code == UvErrors.UV_EADDRINUSE && replaceStale && isStale()) {
      Files.deleteIfExists(name.path());
      code = bindPath();
    }
    Path folder = name.path().toAbsolutePath().getParent();
    if (code == UvErrors.code("EACCES") && folder != null && !Files.exists(folder)) {
      throw Failures.ofFile(
          UvErrors.code("ENOENT"), "bind", name.toString()); // which libuv calls so
    }
    Failures.checkSocket(code, "bind", name);
  }

  private int bindPath() {
    return UvPipe.uv_pipe_bind(address(), LocalAddresses.writePath(loop().scratch(), name));
  }

  /// libuv before 1.46 knows no abstract names.
  private int bindAbstract() {
    long at = LocalAddresses.writeAddress(loop().scratch(), name);
    int length = LocalAddresses.addressLength(name);
    return LocalAddresses.open(socket -> PosixSocket.bind(socket, at, length), this::open);
  }

  /// Whether the file is a socket that nobody has, left by a process that did not end well. A link is
  /// not, wherever it leads: it was made by somebody, and would be what is removed.
  ///
  /// Asked by a socket of the wrong kind, which is refused as such where there is a listener: that one
  /// does not see a connection that nobody meant.
  private boolean isStale() throws IOException {
    Path path = name.path();
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return true; // it went just now
    }
    if (!(Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) instanceof Integer mode)
        || (mode & FILE_TYPE) != SOCKET_FILE) {
      return false;
    }
    int socket = LocalAddresses.socket(Layouts.SOCK_DGRAM);
    Failures.checkSocket(socket, "bind", name);
    try {
      return LocalAddresses.connect(socket, loop().scratch(), name) == UvErrors.UV_ECONNREFUSED;
    } finally {
      Posix.close(socket);
    }
  }

  @Override
  int init() {
    return ready((loop, handle) -> UvPipe.uv_pipe_init(loop, handle, 0));
  }

  @Override
  int open(int descriptor) {
    return UvPipe.uv_pipe_open(address(), descriptor);
  }

  @Override
  HostLocal unopened() {
    return new HostLocal(loop());
  }

  @Override
  public LocalName local() {
    return name;
  }

  @Override
  public void permissions(Set<PosixFilePermission> permissions) throws IOException {
    Files.setPosixFilePermissions(name.path(), permissions);
  }

  @Override
  public void permitAll(boolean readable, boolean writable) throws IOException {
    int flags = (readable ? UvPipe.UV_READABLE : 0) | (writable ? UvPipe.UV_WRITABLE : 0);
    Failures.check(UvPipe.uv_pipe_chmod(address(), flags), "chmod", this);
  }

  @Override
  public String toString() {
    return "local listener " + name;
  }
}
