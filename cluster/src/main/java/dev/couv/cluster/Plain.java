// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// The codecs that need nobody's help.
final class Plain {
  static final Codec<byte[]> BYTES =
      new Codec<>() {
        @Override
        public byte[] encode(byte[] value) {
          return value;
        }

        @Override
        public byte[] decode(byte[] bytes) {
          return bytes;
        }
      };

  static final Codec<String> TEXT =
      new Codec<>() {
        @Override
        public byte[] encode(String value) throws CharacterCodingException {
          ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
          byte[] bytes = new byte[encoded.remaining()];
          encoded.get(bytes);
          return bytes;
        }

        @Override
        public String decode(byte[] bytes) throws CharacterCodingException {
          return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }
      };

  private Plain() {}
}
