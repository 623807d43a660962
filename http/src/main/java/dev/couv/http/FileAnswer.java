// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.fs.FileInfo;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// What is answered to a request for a file: conditions first, then the range (RFC 9110, 13.2.2 and 14.2).
final class FileAnswer {
  private final Request request;
  private final Path path;
  private final long size;
  private final Instant modified;
  private final String tag;

  FileAnswer(Request request, Path path, FileInfo info) {
    this.request = request;
    this.path = path;
    this.size = info.size();
    this.modified = info.modified().truncatedTo(ChronoUnit.SECONDS);
    Instant exact = info.modified();
    this.tag = "\"%x-%x-%x\"".formatted(exact.getEpochSecond(), exact.getNano(), info.size());
  }

  Response response() {
    if (!isExpected()) {
      return described(Response.of(412));
    }
    if (isKnown()) {
      return described(Response.of(304));
    }
    String type = MediaTypes.of(path);
    String asked = request.header("range");
    if (asked == null || !isRangeWanted()) {
      return described(Response.file(type, path, 0, size));
    }
    ByteRange range = ByteRange.of(asked, size);
    if (range == null) {
      return described(Response.file(type, path, 0, size));
    }
    if (range.length() == 0) {
      return Response.of(416).withHeader("Content-Range", "bytes */" + size);
    }
    String part = "bytes " + range.first() + "-" + range.last() + "/" + size;
    return described(Response.file(type, path, range.first(), range.length()))
        .withStatus(206)
        .withHeader("Content-Range", part);
  }

  private Response described(Response response) {
    return response
        .withHeader("ETag", tag)
        .withHeader("Last-Modified", HttpDate.format(modified))
        .withHeader("Accept-Ranges", "bytes");
  }

  /// Whether the file is the one that the client means to ask for.
  private boolean isExpected() {
    String match = request.header("if-match");
    if (match != null) {
      return hasTag("if-match");
    }
    Instant since = HttpDate.parse(request.header("if-unmodified-since"));
    return since == null || !modified.isAfter(since);
  }

  /// Whether the client has it already.
  private boolean isKnown() {
    if (request.header("if-none-match") != null) {
      return hasTag("if-none-match");
    }
    Instant since = HttpDate.parse(request.header("if-modified-since"));
    return since != null && !modified.isAfter(since);
  }

  /// Whether the part belongs to what the client has of it.
  private boolean isRangeWanted() {
    String condition = request.header("if-range");
    if (condition == null) {
      return true;
    }
    return condition.startsWith("\"") ? condition.equals(tag) : isSame(HttpDate.parse(condition));
  }

  private boolean isSame(@Nullable Instant instant) {
    return instant != null && instant.equals(modified);
  }

  private boolean hasTag(String header) {
    for (String value : request.headers().all(header)) {
      for (String word : value.split(",", -1)) {
        String given = word.strip();
        String strong = given.startsWith("W/") ? given.substring(2) : given;
        if (given.equals("*") || strong.equals(tag)) {
          return true;
        }
      }
    }
    return false;
  }
}
