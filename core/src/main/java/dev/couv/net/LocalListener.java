// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.error.BusyException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.uv.Layouts;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixSocket;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Iterator;
import java.util.Set;

/// Accepts connections to a local socket. Listening alone keeps no loop running; waiting in [#accept]
/// does.
///
/// Cancelling an accept loses no connection: one that came meanwhile is the next accept's. Closing
/// wakes who waits with an `AsynchronousCloseException`, and removes the socket file, if it was made here.
public final class LocalListener implements StreamListener<LocalStream> {
  private static final int SOCKET_FILE = 0xc000;
  private static final int FILE_TYPE = 0xf000;

  private final ListenHandle<LocalStream> handle;
  private final LocalName name;
  private final Acceptor<LocalStream> acceptor;

  private LocalListener(ListenHandle<LocalStream> handle, LocalName name) {
    this.handle = handle;
    this.name = name;
    acceptor = new Acceptor<>(handle, this);
  }

  static LocalListener open(EventLoop loop, LocalName name, LocalOptions options)
      throws IOException {
    name.checkLength("bind");
    ListenHandle<LocalStream> handle =
        new ListenHandle<>(loop, StreamKind.LOCAL, "local listener " + name);
    check(handle.init(), "listen", name);
    LocalListener listener = new LocalListener(handle, name);
    boolean listening = false;
    try {
      listener.bind(loop, options);
      if (options.permissions() != null && !name.isAbstract()) {
        listener.chmod(options.permissions());
      }
      check(handle.listen(options.backlog()), "listen", name);
      listening = true;
      return listener;
    } finally {
      if (!listening) {
        handle.close();
      }
    }
  }

  /// Makes a listener of a passed socket that listens.
  static LocalListener takeOver(LocalStream passed, LocalOptions options) throws IOException {
    LocalName name = LocalName.local(passed, passed.nativeHandle(), passed.eventLoop().scratch());
    ListenHandle<LocalStream> handle =
        ListenHandle.takeOver(
            passed.objectHandle(), StreamKind.LOCAL, "local listener " + name, options.backlog());
    return new LocalListener(handle, name);
  }

  private void bind(EventLoop loop, LocalOptions options) throws IOException {
    if (name.isAbstract()) {
      bindAbstract(loop);
      return;
    }
    int code = UvPipe.uv_pipe_bind(handle.address(), name.writePath(loop.scratch()));
    if (code == UvErrors.UV_EADDRINUSE && options.replaceStale() && isStale(loop)) {
      Files.deleteIfExists(name.path());
      code = UvPipe.uv_pipe_bind(handle.address(), name.writePath(loop.scratch()));
    }
    if (code < 0) {
      throw LocalFailures.ofBind(code, name);
    }
  }

  /// libuv before 1.46 knows no abstract names.
  private void bindAbstract(EventLoop loop) throws IOException {
    int socket = Local.socket(Layouts.SOCK_STREAM, "bind", name);
    int code = PosixSocket.bind(socket, name.writeAddress(loop.scratch()), name.addressLength());
    if (code >= 0) {
      code = UvPipe.uv_pipe_open(handle.address(), socket);
    }
    if (code < 0) {
      Posix.close(socket);
      throw LocalFailures.ofBind(code, name);
    }
  }

  /// Whether the file is a socket that nobody has, left by a process that did not end well. A link is
  /// not, wherever it leads: it was made by somebody, and would be what is removed.
  ///
  /// Asked by a socket of the wrong kind, which is refused as such where there is a listener: that one
  /// does not see a connection that nobody meant.
  private boolean isStale(EventLoop loop) throws IOException {
    Path path = name.path();
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return true; // it went just now
    }
    if (!(Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) instanceof Integer mode)
        || (mode & FILE_TYPE) != SOCKET_FILE) {
      return false;
    }
    int socket = Local.socket(Layouts.SOCK_DGRAM, "bind", name);
    try {
      return PosixSocket.connect(socket, name.writeAddress(loop.scratch()), name.addressLength())
          == UvErrors.UV_ECONNREFUSED;
    } finally {
      Posix.close(socket);
    }
  }

  private static void check(int code, String call, LocalName subject) throws IOException {
    if (code < 0) {
      throw Failures.ofSocket(code, call, subject.toString());
    }
  }

  /// Waits for the next connection.
  ///
  /// @throws BusyException if another coroutine is accepting
  @Override
  public LocalStream accept() throws IOException {
    return acceptor.accept();
  }

  @Override
  public void serve(Handler<? super LocalStream> handler, ServeOptions options) throws IOException {
    acceptor.serve(handler, options);
  }

  /// The connections that come, each of which is waited for, until the listener is closed. Coroutines
  /// that iterate at the same time take turns. Descriptors that run out are only logged; any other
  /// failure to accept is an `UncheckedIOException`.
  @Override
  public Iterator<LocalStream> iterator() {
    return acceptor.iterator();
  }

  /// The path it listens at; empty for an abstract name.
  public UnixDomainSocketAddress local() {
    return name.address();
  }

  /// Sets who may connect, which takes the permission to write. Does not wait.
  public void chmod(Set<PosixFilePermission> permissions) throws IOException {
    handle.checkUsable();
    checkIsAFile();
    Files.setPosixFilePermissions(name.path(), permissions);
  }

  /// Lets everybody read, write or both, in addition to who may already; on Windows, too.
  public void chmod(boolean readable, boolean writable) throws IOException {
    handle.checkUsable();
    checkIsAFile();
    int flags = (readable ? UvPipe.UV_READABLE : 0) | (writable ? UvPipe.UV_WRITABLE : 0);
    if (flags == 0) {
      throw new IllegalArgumentException("neither readable nor writable");
    }
    Failures.check(UvPipe.uv_pipe_chmod(handle.address(), flags), "chmod", this);
  }

  private void checkIsAFile() {
    if (name.isAbstract()) {
      throw new IllegalStateException("an abstract name has no permissions: " + name);
    }
  }

  /// The native half, to be passed.
  ObjectHandle handle() {
    return handle;
  }

  @Override
  public boolean isHere() {
    return handle.loop().isInside();
  }

  @Override
  public boolean isOpen() {
    return handle.isOpen();
  }

  @Override
  public void close() {
    handle.close();
  }

  @Override
  public String toString() {
    return handle.toString();
  }
}
