// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.net.InetSocketAddress;

/// What is known of a datagram that was received.
///
/// @param from who sent it
/// @param length how many bytes of it are in the buffer
/// @param truncated whether the buffer was too small for all of them
public record Datagram(InetSocketAddress from, int length, boolean truncated) {}
