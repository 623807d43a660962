// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.net.InetSocketAddress;

/// What is known of a datagram that was received: who sent it, how many bytes of it are in the buffer, and
/// whether that was too small for all of them.
public record Datagram(InetSocketAddress from, int length, boolean truncated) {}
