// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.stream.ByteStream;
import dev.couv.wire.NativeStream;
import dev.couv.world.StreamHandle;

/// A pipe or a socket, which stays as it is for all who share its end.
final class SharedPipe extends NativeStream implements ByteStream {
  SharedPipe(StreamHandle handle) {
    super(handle);
  }
}
