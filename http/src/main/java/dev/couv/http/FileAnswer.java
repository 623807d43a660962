// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.fs.OpenFile;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What is answered to a request for a file: conditions first, then the range (RFC 9110, 13.2.2 and 14.2).
final class FileAnswer {
  private final Request request;
  private final OpenFile file;
  private final FileFacts facts;

  /// The file stays the caller's, unless it is closed with the answer.
  FileAnswer(Request request, OpenFile file, FileFacts facts) {
    this.request = request;
    this.file = file;
    this.facts = facts;
  }

  Response response() {
    if (!isExpected()) {
      return described(Response.of(412));
    }
    if (isKnown()) {
      return described(Response.of(304));
    }
    // Ranges are defined for GET alone: with HEAD the file is described as a whole.
    String asked = request.method().equals("GET") ? request.header("range") : null;
    ByteRange range = asked == null || !isRangeWanted() ? null : ByteRange.of(asked, facts.size());
    if (range == null) {
      return part(0, facts.size());
    }
    if (range.length() == 0) {
      return Response.of(416).withHeader("Content-Range", "bytes */" + facts.size());
    }
    return part(range.first(), range.length())
        .withStatus(206)
        .withHeader(
            "Content-Range", "bytes " + range.first() + "-" + range.last() + "/" + facts.size());
  }

  private Response part(long offset, long length) {
    return described(Response.file(facts.type(), file, offset, length));
  }

  private Response described(Response response) {
    return response.withHeaders(facts.headers());
  }

  /// Whether the file is the one that the client means to ask for.
  private boolean isExpected() {
    String match = request.header("if-match");
    if (match != null) {
      return hasTag("if-match", false);
    }
    Instant since = HttpDate.parse(request.header("if-unmodified-since"));
    return since == null || !facts.modified().isAfter(since);
  }

  /// Whether the client has it already.
  private boolean isKnown() {
    if (request.header("if-none-match") != null) {
      return hasTag("if-none-match", true);
    }
    Instant since = HttpDate.parse(request.header("if-modified-since"));
    return since != null && !facts.modified().isAfter(since);
  }

  /// Whether the part belongs to what the client has of it.
  private boolean isRangeWanted() {
    String condition = request.header("if-range");
    if (condition == null) {
      return true;
    }
    return condition.startsWith("\"")
        ? condition.equals(facts.tag())
        : isSame(HttpDate.parse(condition));
  }

  private boolean isSame(@Nullable Instant instant) {
    return instant != null && instant.equals(facts.modified());
  }

  /// Whether the tag is among those. One that is weak says that the bytes may be others: for who has them that is good enough.
  private boolean hasTag(String header, boolean weakly) {
    for (String value : request.headers().all(header)) {
      for (String word : value.split(",", -1)) {
        String given = word.strip();
        String tag = weakly && given.startsWith("W/") ? given.substring(2) : given;
        if (given.equals("*") || tag.equals(facts.tag())) {
          return true;
        }
      }
    }
    return false;
  }
}
