// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A message between processes. Nothing in it can be relied on: whoever may publish can write what
/// they like.
///
/// @param reply where an answer is wanted, or null
/// @param status of a message from the server itself, [#NOBODY] for example; 0 for those of others
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record Packet(
    String subject, @Nullable String reply, Map<String, String> headers, byte[] data, int status) {

  /// The server's answer to a message that nobody listens to.
  public static final int NOBODY = 503;

  private static final byte[] EMPTY = {};

  /// A message without headers.
  public static Packet of(String subject, @Nullable String reply, byte[] data) {
    return new Packet(subject, reply, Map.of(), data, 0);
  }

  /// A message with headers.
  public static Packet of(
      String subject, @Nullable String reply, Map<String, String> headers, byte[] data) {
    return new Packet(subject, reply, headers, data, 0);
  }

  /// What the server tells of a message that nobody listens to.
  static Packet nobody(String subject) {
    return new Packet(subject, null, Map.of(), EMPTY, NOBODY);
  }

  /// The last word of the subject.
  public String lastToken() {
    return subject.substring(subject.lastIndexOf('.') + 1);
  }
}
