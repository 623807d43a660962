// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.stream.ByteStream;
import dev.couv.wire.NativeStream;
import dev.couv.world.SocketHandle;

/// A stream that can be passed to another process, and may have been.
abstract class SocketStream<H extends SocketHandle> extends NativeStream implements ByteStream {
  final H socket;

  SocketStream(H socket) {
    super(socket);
    this.socket = socket;
  }
}
