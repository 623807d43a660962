// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.stream.NativeStream;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPipe;
import dev.couv.uv.UvTcp;

/// A kind of socket that listens and connects, as what they share needs to know it: how its handles are
/// made, and its streams.
abstract class StreamKind<S extends NativeStream> {
  static final StreamKind<TcpStream> TCP =
      new StreamKind<>(UvHandle.UV_TCP) {
        @Override
        int initListener(long loop, long handle) {
          return UvTcp.uv_tcp_init(loop, handle);
        }

        @Override
        int open(long handle, int descriptor) {
          return UvTcp.uv_tcp_open(handle, descriptor);
        }

        @Override
        TcpStream unopened(EventLoop loop) {
          return TcpStream.unopened(loop);
        }

        @Override
        int init(TcpStream stream) {
          return stream.init();
        }

        @Override
        long address(TcpStream stream) {
          return stream.nativeHandle();
        }

        @Override
        int setDefaults(long handle) {
          return UvTcp.uv_tcp_nodelay(handle, 1);
        }

        @Override
        void connected(TcpStream stream) {
          stream.connected();
        }
      };

  static final StreamKind<LocalStream> LOCAL =
      new StreamKind<>(UvHandle.UV_NAMED_PIPE) {
        @Override
        int initListener(long loop, long handle) {
          return UvPipe.uv_pipe_init(loop, handle, 0);
        }

        @Override
        int open(long handle, int descriptor) {
          return UvPipe.uv_pipe_open(handle, descriptor);
        }

        @Override
        LocalStream unopened(EventLoop loop) {
          return new LocalStream(loop);
        }

        @Override
        int init(LocalStream stream) {
          return stream.init();
        }

        @Override
        long address(LocalStream stream) {
          return stream.nativeHandle();
        }

        @Override
        int setDefaults(long handle) {
          return 0;
        }

        @Override
        void connected(LocalStream stream) {}
      };

  final int handleType;

  private StreamKind(int handleType) {
    this.handleType = handleType;
  }

  abstract int initListener(long loop, long handle);

  /// Makes a descriptor the listener's own.
  abstract int open(long handle, int descriptor);

  /// A stream that has neither a handle nor a socket.
  abstract S unopened(EventLoop loop);

  abstract int init(S stream);

  abstract long address(S stream);

  /// Sets what is on unless told otherwise: on a connection, or on a listener, from which its connections
  /// have it without a call for each.
  abstract int setDefaults(long handle);

  /// It has the socket of a connection from now on. In the callback: nothing throws.
  abstract void connected(S stream);
}
