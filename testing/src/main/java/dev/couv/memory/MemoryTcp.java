// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.world.AddressText;
import dev.couv.world.LooseStream;
import dev.couv.world.TcpHandle;
import dev.couv.world.TcpSockets.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A TCP connection in memory. Its options are kept, and change nothing.
final class MemoryTcp extends MemoryStream implements TcpHandle {
  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private boolean localTold;
  private int sendBuffer = End.CAPACITY;
  private int receiveBuffer = End.CAPACITY;

  MemoryTcp(
      End end,
      EventLoop loop,
      InetSocketAddress local,
      InetSocketAddress remote,
      @Nullable Settings settings) {
    super(end, loop);
    this.local = local;
    this.remote = remote;
    if (settings != null && settings.sendBuffer() > 0) {
      sendBuffer = 2 * settings.sendBuffer(); // as Linux tells it
    }
    if (settings != null && settings.receiveBuffer() > 0) {
      receiveBuffer = 2 * settings.receiveBuffer();
    }
  }

  @Override
  public InetSocketAddress local() throws IOException {
    if (!localTold) {
      checkUsable();
      localTold = true;
    }
    return local;
  }

  @Override
  public InetSocketAddress remote() throws IOException {
    if (isOpen()) {
      checkUsable();
    }
    return remote;
  }

  @Override
  public void noDelay(boolean on) throws IOException {
    checkUsable();
  }

  @Override
  public void keepAlive(@Nullable Duration idle) throws IOException {
    checkUsable();
  }

  @Override
  public int buffer(boolean sending, int bytes) throws IOException {
    checkUsable();
    if (bytes > 0 && sending) {
      sendBuffer = 2 * bytes; // as Linux tells it
    } else if (bytes > 0) {
      receiveBuffer = 2 * bytes;
    }
    return sending ? sendBuffer : receiveBuffer;
  }

  @Override
  public void reset() throws IOException {
    if (isOpen()) {
      checkUsable();
      if (!end().isShared()) { // else somebody else has it, and there is nothing to reset
        end().abort();
      }
      close();
    }
  }

  @Override
  public LooseStream<TcpHandle> detach() {
    return loosen(TcpHandle.class);
  }

  @Override
  public String toString() {
    return "tcp " + AddressText.of(remote);
  }
}
