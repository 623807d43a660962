// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.error.BusyException;
import dev.couv.world.LocalHandle;
import dev.couv.world.LocalListenHandle;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Iterator;
import java.util.Set;

/// Accepts connections to a local socket. Listening alone keeps no loop running; waiting in [#accept]
/// does.
///
/// Cancelling an accept loses no connection: one that came meanwhile is the next accept's. Closing
/// wakes who waits with an `AsynchronousCloseException`, and removes the socket file, if it was made here.
public final class LocalListener implements StreamListener<LocalStream> {
  private final LocalListenHandle handle;
  private final Acceptor<LocalHandle, LocalStream> acceptor;

  LocalListener(LocalListenHandle handle) {
    this.handle = handle;
    acceptor = new Acceptor<>(handle, LocalStream::new);
  }

  LocalListenHandle handle() {
    return handle;
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
    return handle.local().address();
  }

  /// Sets who may connect, which takes the permission to write. Does not wait.
  public void chmod(Set<PosixFilePermission> permissions) throws IOException {
    handle.checkUsable();
    checkIsAFile();
    handle.permissions(permissions);
  }

  /// Lets everybody read, write or both, in addition to who may already; on Windows, too.
  public void chmod(boolean readable, boolean writable) throws IOException {
    handle.checkUsable();
    checkIsAFile();
    if (!readable && !writable) {
      throw new IllegalArgumentException("neither readable nor writable");
    }
    handle.permitAll(readable, writable);
  }

  private void checkIsAFile() {
    if (handle.local().isAbstract()) {
      throw new IllegalStateException("an abstract name has no permissions: " + handle.local());
    }
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
