// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

import dev.couv.info.Info;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// By which both sides see that the other one speaks WebSocket, and means this request.
public final class Keys {
  private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private Keys() {}

  /// A new one.
  public static String random() throws IOException {
    byte[] key = new byte[16];
    Info.randomNow(ByteBuffer.wrap(key));
    return Base64.getEncoder().encodeToString(key);
  }

  /// Whether it can be one: sixteen bytes.
  public static boolean isKey(String text) {
    try {
      return text.length() == 24 && Base64.getDecoder().decode(text).length == 16;
    } catch (IllegalArgumentException no) {
      return false;
    }
  }

  /// What a server answers to it.
  public static String accept(String key) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-1");
      byte[] digest = sha.digest((key + MAGIC).getBytes(StandardCharsets.ISO_8859_1));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-1", e);
    }
  }
}
