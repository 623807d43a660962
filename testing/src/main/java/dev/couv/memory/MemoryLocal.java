// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.world.Delivery;
import dev.couv.world.Handle;
import dev.couv.world.LocalHandle;
import dev.couv.world.LocalListenHandle;
import dev.couv.world.LocalName;
import dev.couv.world.LooseStream;
import dev.couv.world.SocketHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A local socket in memory, of one machine. Connections can be passed through it; what listens cannot.
final class MemoryLocal extends MemoryStream implements LocalHandle {
  private final LocalName local;
  private final LocalName remote;
  private final ArrayDeque<Passable> sockets = new ArrayDeque<>(1);
  private boolean accepting;

  MemoryLocal(End end, EventLoop loop, LocalName local, LocalName remote) {
    super(end, loop);
    this.local = local;
    this.remote = remote;
  }

  @Override
  public LocalName local() throws IOException {
    checkUsable();
    return local;
  }

  @Override
  public LocalName remote() throws IOException {
    checkUsable();
    return remote;
  }

  // ---- sockets that are passed

  @Override
  public void acceptSockets(boolean on) throws IOException {
    checkUsable();
    accepting = on;
    if (!on) {
      release();
    }
  }

  @Override
  void passed(Passable socket) {
    if (accepting) {
      sockets.add(socket);
    } else {
      socket.released();
    }
  }

  @Override
  boolean isHeldUp() {
    return !sockets.isEmpty() || end().isSocketNext();
  }

  @Override
  public boolean isSocketNext() {
    return !sockets.isEmpty() && !hasPutBack();
  }

  @Override
  public @Nullable SocketHandle takeSocket() {
    Passable first = sockets.poll();
    return first == null ? null : first.open(loop());
  }

  @Override
  public boolean passNow(ByteBuffer from, Handle socket) throws IOException {
    checkWritable();
    return leftovers() == null && end().put(from, Integer.MAX_VALUE, passable(socket)) > 0;
  }

  @Override
  public Delivery pass(ByteBuffer from, Handle socket) {
    return new Piece("send to", "written", passable(socket), from);
  }

  private Passable passable(Handle socket) {
    if (socket instanceof MemoryStream stream && stream.node() == node()) {
      return stream.end();
    } else if (socket instanceof MemoryListener<?>) {
      throw new UnsupportedOperationException(
          "the world in memory passes connections, and not what listens: " + socket);
    }
    throw new IllegalArgumentException(socket + " is not this system's");
  }

  private void release() {
    for (Passable left; (left = sockets.poll()) != null; ) {
      left.released();
    }
  }

  @Override
  void closing() {
    release();
    super.closing();
  }

  // ---- elsewhere

  @Override
  public void checkDetachable() throws IOException {
    checkUsable();
    if (!sockets.isEmpty()) {
      throw new IllegalStateException(this + ": sockets came that nobody has received");
    }
  }

  @Override
  public LooseStream<LocalHandle> detach() {
    return loosen(LocalHandle.class);
  }

  @Override
  public LocalListenHandle listen(int backlog) throws IOException {
    checkUsable();
    throw Failures.named("EINVAL", "listen", toString());
  }

  @Override
  public String toString() {
    return remote.bytes().length == 0 ? "local socket" : "local socket " + remote;
  }
}
