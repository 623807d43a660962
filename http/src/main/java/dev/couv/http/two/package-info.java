// SPDX-License-Identifier: Apache-2.0

/// HTTP/2 over a stream of bytes: many requests at once, each in a coroutine. Frames, header compression, flow control and
/// the limits on what a peer may do with them are Netty's; time, order and memory are ours.
package dev.couv.http.two;
