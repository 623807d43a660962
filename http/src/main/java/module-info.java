// SPDX-License-Identifier: Apache-2.0

/// HTTP on Couv: a server whose handlers are straight-line code. The protocol is Netty's, the sockets, the time and the
/// coroutines are Couv's; no type of Netty is in what is exported.
@org.jspecify.annotations.NullMarked
module dev.couv.http {
  requires transitive dev.couv;
  requires static transitive org.jspecify;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.compression; // permessage-deflate, which does not name it itself
  requires io.netty.codec.http;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires io.netty.transport;

  exports dev.couv.http;
}
