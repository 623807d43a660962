// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Paths as the system has them: bytes, which need not be text.
///
/// ## Names that are no text
///
/// The JDK keeps the bytes of a path, but shows them only as a string, in which what it cannot decode
/// is lost. One door is open: the path's URI escapes the bytes themselves, and a URI becomes the same
/// bytes again. It costs a look at the file, so only names that need it go that way.
public final class PathBytes {
  private static final char LOST = '\uFFFD';

  /// Whether the JDK encodes paths in UTF-8: by the locale it was started in.
  private static final boolean UTF_8 =
      StandardCharsets.UTF_8.equals(
          charset(System.getProperty("sun.jnu.encoding", "UTF-8"))); // not documented, but old

  /// Asked for once: the JDK may take a lock for it, and paths are checked on a loop's thread, too.
  private static final FileSystem SYSTEM = FileSystems.getDefault();

  private PathBytes() {}

  private static @Nullable Charset charset(String name) {
    try {
      return Charset.forName(name);
    } catch (IllegalArgumentException unknown) {
      return null;
    }
  }

  /// Throws what a path that the system cannot be asked about deserves.
  public static Path check(Path path) {
    if (path.getFileSystem() != SYSTEM) {
      throw new IllegalArgumentException(
          path + " is not a path of the system's own files, but of " + path.getFileSystem());
    }
    return path;
  }

  /// The path as a C string in memory of its own, which the caller frees. The empty path is the
  /// current directory, as everywhere in the JDK.
  public static long allocate(Path path) {
    return allocate(bytes(path));
  }

  /// The path's own bytes; a dot for the empty one.
  public static byte[] bytes(Path path) {
    String text = path.toString();
    return text.isEmpty() ? new byte[] {'.'} : bytes(path, text);
  }

  public static long allocate(byte[] bytes) {
    return NativeMemory.check(Memory.newString(bytes));
  }

  private static byte[] bytes(Path path, String text) {
    if (isPlain(text) || (UTF_8 && text.indexOf(LOST) < 0)) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    // By way of the root, so that a relative path stays one: the JDK's directory may not be the
    // system's, and what is written into a link must be what was asked for.
    Path root = path.getFileSystem().getPath("/");
    byte[] absolute = unescaped(root.resolve(path).toUri().getRawPath());
    int from = path.isAbsolute() ? 0 : 1;
    int to = absolute.length;
    // For a directory the URI ends in a slash.
    if (to > 1 && absolute[to - 1] == '/') {
      to--;
    }
    return Arrays.copyOfRange(absolute, from, to);
  }

  private static byte[] unescaped(String raw) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes.write(Integer.parseInt(raw, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    return bytes.toByteArray();
  }

  /// The path of the C string at that address.
  public static Path read(long address) {
    String text = Memory.getString(address);
    boolean isText = UTF_8 ? text.indexOf(LOST) < 0 : isPlain(text);
    return isText ? Path.of(text) : path(bytesAt(address));
  }

  public static byte[] bytesAt(long address) {
    int length = 0;
    while (Memory.getByte(address + length) != 0) {
      length++;
    }
    byte[] bytes = new byte[length];
    Memory.copy(address, bytes, 0, length);
    return bytes;
  }

  /// The path of those bytes, relative or absolute.
  public static Path path(byte[] bytes) {
    if (isPlain(bytes)) {
      return Path.of(
          new String(bytes, StandardCharsets.ISO_8859_1)); // the quickest of those that fit
    }
    if (UTF_8) {
      try {
        return Path.of(
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      } catch (CharacterCodingException noText) {
        // by way of the URI
      }
    }
    boolean absolute = bytes[0] == '/'; // what is empty is text
    StringBuilder uri = new StringBuilder("file:///");
    byte before = '/';
    for (byte each : bytes) {
      if (each != '/') {
        uri.append('%').append(String.format("%02X", each));
      } else if (before != '/') {
        uri.append('/'); // once: the JDK would keep the others, and take the first two for a host
      }
      before = each;
    }
    Path path = Path.of(URI.create(uri.toString()));
    // Not relativized: that takes the dots away, which lead elsewhere if a name before them is a
    // link.
    return absolute ? path : path.subpath(0, path.getNameCount());
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(byte[] bytes) {
    for (byte each : bytes) {
      if (each < 0) {
        return false;
      }
    }
    return true;
  }
}
