// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.net.InetSocketAddress;

/// A datagram that was taken from the system and that nobody has received yet.
record KeptDatagram(InetSocketAddress from, byte[] bytes, boolean truncated) {}
