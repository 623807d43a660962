// SPDX-License-Identifier: Apache-2.0

/// Byte streams: what sockets, files, terminals and a child's standard streams have in common, and what makes messages of bytes.
///
/// [ByteStream] reads and writes, [Lines] are its lines, [ByteReader] and [ByteWriter] take bytes apart and put them together, and [Framed] is a
/// stream of messages as a [Framer] says what they are.
///
/// ```java
/// try (var pair = LocalStream.pair();
///     var here = Framed.open(pair.first(), Framer.lines());
///     var there = Framed.open(pair.second(), Framer.lines())) {
///   here.write("a message");
///   String message = there.read();
/// }
/// ```
///
/// A read that is cancelled or timed out has lost nothing: what comes later is the next read's. A stream that ends where more is due is an
/// `EOFException`.
package dev.couv.stream;
