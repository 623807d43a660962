// SPDX-License-Identifier: Apache-2.0

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Formats one Java source after the other, from standard input to standard output, until the input
/// ends: a length, then so many bytes of UTF-8; the answer begins with whether they could be parsed.
/// Started by `spotless.groovy`, on the JDK 25.
final class FormatServer {
  private FormatServer() {}

  public static void main(String[] args) throws IOException {
    // Doc comments are left as their authors laid them out.
    var options = JavaFormatterOptions.builder().formatJavadoc(false).build();
    var formatter = new Formatter(options);
    var in = new DataInputStream(System.in);
    var out = new DataOutputStream(System.out);
    for (byte[] head = in.readNBytes(4); head.length == 4; head = in.readNBytes(4)) {
      int length = ByteBuffer.wrap(head).getInt();
      var source = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      try {
        answer(out, true, formatter.formatSourceAndFixImports(source));
      } catch (FormatterException e) {
        answer(out, false, e.getMessage());
      }
    }
  }

  private static void answer(DataOutputStream out, boolean parsed, String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeBoolean(parsed);
    out.writeInt(bytes.length);
    out.write(bytes);
    out.flush();
  }
}
