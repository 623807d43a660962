// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.error.BusyException;
import dev.couv.world.LocalHandle;
import dev.couv.world.LocalListenHandle;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/// Accepts connections to a local socket. Listening alone keeps no loop running; waiting in [#accept]
/// does.
///
/// Cancelling an accept loses no connection: one that came meanwhile is the next accept's. Closing
/// wakes who waits with an `AsynchronousCloseException`, and removes the socket file, if it was made here.
@SuppressWarnings("exports") // what it extends has only members that are for users
public final class LocalListener extends SocketListener<LocalHandle, LocalListenHandle, LocalStream>
    implements StreamListener<LocalStream> {
  LocalListener(LocalListenHandle handle) {
    super(handle, LocalStream::new);
  }

  /// Waits for the next connection.
  ///
  /// @throws BusyException if another coroutine is accepting
  @Override
  public LocalStream accept() throws IOException {
    return super.accept();
  }

  /// The path it listens at; empty for an abstract name.
  public UnixDomainSocketAddress local() {
    return socket().local().address();
  }

  /// Sets who may connect, which takes the permission to write. Does not wait.
  public void chmod(Set<PosixFilePermission> permissions) throws IOException {
    checkIsAFile();
    socket().permissions(permissions);
  }

  /// Lets everybody read, write or both, in addition to who may already; on Windows, too.
  public void chmod(boolean readable, boolean writable) throws IOException {
    checkIsAFile();
    if (!readable && !writable) {
      throw new IllegalArgumentException("neither readable nor writable");
    }
    socket().permitAll(readable, writable);
  }

  private void checkIsAFile() throws IOException {
    socket().checkUsable();
    if (socket().local().isAbstract()) {
      throw new IllegalStateException("an abstract name has no permissions: " + socket().local());
    }
  }
}
