// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import java.net.InetSocketAddress;

/// A datagram that was taken from the system and that nobody has received yet.
@SuppressWarnings("ArrayRecordComponent") // one owner at a time, and nobody compares them
record KeptDatagram(InetSocketAddress from, byte[] bytes, boolean truncated) {}
