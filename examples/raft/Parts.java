// SPDX-License-Identifier: Apache-2.0
package raft;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;

/// Values as bytes, one after the other. Who reads them knows which they are.
interface Parts {
  /// Of what is written by its parts.
  Object[] parts();

  static byte[] bytes(Object... parts) throws IOException {
    var bytes = new ByteArrayOutputStream();
    write(new DataOutputStream(bytes), parts);
    return bytes.toByteArray();
  }

  static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  private static void write(DataOutputStream out, Object... parts) throws IOException {
    for (var part : parts) {
      switch (part) {
        case Character letter -> out.writeByte(letter);
        case Boolean truth -> out.writeBoolean(truth);
        case Integer number -> out.writeInt(number);
        case Long number -> out.writeLong(number);
        case String text -> out.writeUTF(text);
        case byte[] bytes -> {
          out.writeInt(bytes.length);
          out.write(bytes);
        }
        case Collection<?> several -> {
          out.writeInt(several.size());
          write(out, several.toArray());
        }
        case Map<?, ?> map -> {
          out.writeInt(map.size());
          for (var entry : map.entrySet()) write(out, entry.getKey(), entry.getValue());
        }
        case Enum<?> one -> out.writeByte(one.ordinal());
        case Parts whole -> write(out, whole.parts());
        default -> throw new IllegalArgumentException("cannot be written: " + part);
      }
    }
  }
}
