// SPDX-License-Identifier: Apache-2.0

/// Sockets and names: TCP, UDP, local sockets, lookups, and TLS over any stream.
///
/// ```java
/// try (var listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0))) {
///   Coroutine.spawn(() -> listener.serve(peer -> ByteStream.copy(peer, peer)));
///   try (var stream = Tcp.connect(listener.local())) {
///     stream.write("hello");
///     ByteBuffer reply = stream.read();
///   }
/// }
/// ```
///
/// [Tcp], [Udp], [Local], [Names] and [Tls] make things, and wait where that takes time. Failures are `IOException`s. A socket belongs to the
/// loop in which it was made, and is closed with it at the latest.
package dev.couv.net;
