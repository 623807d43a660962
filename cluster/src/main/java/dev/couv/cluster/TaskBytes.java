// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A task as it goes through the channel of its pool: where its result is wanted, and its input.
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record TaskBytes(String reply, byte[] input) {
  /// What it has more than its input, at most.
  static final int OVERHEAD = 256;

  byte[] encode() {
    byte[] address = reply.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(Short.BYTES + address.length + input.length)
        .putShort((short) address.length)
        .put(address)
        .put(input)
        .array();
  }

  /// Null if it is none of ours.
  static @Nullable TaskBytes decode(byte[] bytes) {
    if (bytes.length < Short.BYTES) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int length = buffer.getShort();
    if (length < 0 || length > buffer.remaining()) {
      return null;
    }
    byte[] address = new byte[length];
    buffer.get(address);
    byte[] input = new byte[buffer.remaining()];
    buffer.get(input);
    String reply = new String(address, StandardCharsets.US_ASCII);
    return Subjects.isInbox(reply) ? new TaskBytes(reply, input) : null;
  }
}
