// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/// The JDK's gzip at a level, whose memory, a quarter of a MiB outside of the heap, is given back at once.
final class Gzip extends GZIPOutputStream implements AutoCloseable {
  Gzip(OutputStream into, int level) throws IOException {
    super(into, 1 << 12, true);
    def.setLevel(level);
  }

  /// All of it at once.
  static byte[] of(byte[] bytes, int level) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(bytes.length / 2 + 64);
    try (Gzip gzip = new Gzip(packed, level)) {
      gzip.write(bytes);
      gzip.finish();
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return packed.toByteArray();
  }

  /// Frees it, and writes nothing more. Does nothing the second time.
  @Override
  public void close() {
    def.end();
  }
}
