// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Scratch;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.PosixDescriptor;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTcp;
import java.io.IOException;

/// What sockets of every kind are asked and told alike. All of it uses the loop's scratch memory.
final class SocketCalls {
  private SocketCalls() {}

  /// The number of the handle's descriptor, or a negative code.
  static int descriptor(Scratch scratch, long handle) {
    long room = scratch.argumentsAddress();
    int code = UvHandle.uv_fileno(handle, room);
    return code < 0 ? code : Memory.getInt(room);
  }

  /// Sets an option of the handle's socket to one or more numbers.
  static int set(Scratch scratch, long handle, int option, int... values) {
    int descriptor = descriptor(scratch, handle);
    if (descriptor < 0) {
      return descriptor;
    }
    long room = scratch.argumentsAddress();
    for (int i = 0; i < values.length; i++) {
      Memory.putInt(room + (long) i * Integer.BYTES, values[i]);
    }
    return PosixDescriptor.setsockopt(
        descriptor, Layouts.SOL_SOCKET, option, room, values.length * Integer.BYTES);
  }

  /// Whether a listener of Windows takes several connections at once.
  static void simultaneousAccepts(ObjectHandle socket, boolean on) throws IOException {
    socket.checkUsable();
    int code = UvTcp.uv_tcp_simultaneous_accepts(socket.address(), on ? 1 : 0);
    Failures.check(code, "simultaneousAccepts", socket);
  }

  /// Sets the size of the system's buffer for what is sent, or received, or reads it if `bytes` is 0.
  static int buffer(ObjectHandle socket, boolean sending, int bytes) throws IOException {
    socket.checkUsable(); // before the scratch is touched
    long value = socket.loop().scratch().argumentsAddress();
    Memory.putInt(value, bytes);
    int code =
        sending
            ? UvHandle.uv_send_buffer_size(socket.address(), value)
            : UvHandle.uv_recv_buffer_size(socket.address(), value);
    Failures.check(code, sending ? "sendBuffer" : "receiveBuffer", socket);
    return Memory.getInt(value);
  }
}
