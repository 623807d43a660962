// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.fs.FileInfo;
import dev.couv.fs.OpenFile;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// What clients are told of a file, which is the same as long as nobody writes to it.
///
/// @param type what it is, by its name
/// @param exact when its bytes last changed
/// @param modified the same, as far as a date in a head can tell it
/// @param tag names what is in it
/// @param headers those that tell of all that
record FileFacts(
    String type, long size, Instant exact, Instant modified, String tag, Headers headers) {
  /// Of an open file, now; those that are given, if they still hold.
  static FileFacts of(OpenFile file, @Nullable FileFacts last) throws IOException {
    FileInfo info = file.infoNow();
    Instant exact = info.modified();
    if (last != null && last.size == info.size() && last.exact.equals(exact)) {
      return last;
    }
    Instant modified = exact.truncatedTo(ChronoUnit.SECONDS);
    String tag = "\"%x-%x-%x\"".formatted(exact.getEpochSecond(), exact.getNano(), info.size());
    Headers headers =
        Headers.of(
            "ETag", tag, "Last-Modified", HttpDate.format(modified), "Accept-Ranges", "bytes");
    return new FileFacts(MediaTypes.of(file.path()), info.size(), exact, modified, tag, headers);
  }
}
