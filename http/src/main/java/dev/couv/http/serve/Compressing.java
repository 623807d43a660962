// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.fs.OpenFile;
import dev.couv.http.Compression;
import dev.couv.http.Content;
import dev.couv.http.ContentWriter;
import dev.couv.http.Headers;
import dev.couv.http.HttpFilter;
import dev.couv.http.HttpHandler;
import dev.couv.http.Request;
import dev.couv.http.Response;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;

/// Compresses answers, as the outermost filter of a server.
///
/// ## Memory
///
/// What is small is compressed at once, and keeps its length. Everything else is compressed as it is sent, and then there is memory
/// outside of the heap: from here, where it is decided, to the end of the answer it counts as one that is on its way.
public final class Compressing implements HttpFilter {
  /// What is compressed at once: no more than a larger one may have of a turn.
  private static final int SMALL = GzipWriter.PIECE;

  private static final int FILE_PIECE = 1 << 15;

  private static final Set<String> TEXTS =
      Set.of(
          "application/json",
          "application/javascript",
          "application/x-javascript",
          "application/xml",
          "application/x-ndjson");

  private final Compression how;
  private final WarmFiles files = new WarmFiles();
  private int running;

  /// As that says.
  public Compressing(Compression how) {
    this.how = how;
  }

  @Override
  public Response handle(Request request, HttpHandler next) throws Exception {
    Response given = next.handle(request);
    if (given.status() == 304) {
      return unchanged(request, given);
    }
    if (!mayBeEncoded(given)) {
      return given;
    }
    Response plain = varying(given);
    AcceptEncoding accepted = AcceptEncoding.of(request.headers().all("accept-encoding"));
    long length = Answers.length(plain.content());
    boolean large = length < 0 || length >= how.minimum();
    if (!accepted.wantsGzip() || !(large || accepted.refusesIdentity())) {
      return plain;
    }
    return plain.content() instanceof Content.Bytes bytes && length <= SMALL
        ? small(plain, bytes, accepted)
        : streamed(request, plain);
  }

  // ---- which

  private static boolean mayBeEncoded(Response response) {
    int status = response.status();
    Headers headers = response.headers();
    return status != 204
        && status != 205
        && status != 206
        && isText(response)
        && !headers.contains("content-encoding")
        && !headers.contains("content-range")
        && !headers.contains("content-digest")
        && !headers.contains("cache-control", "no-transform");
  }

  /// Events are none of these: they are short, each is to be there at once, and somebody may wait for them for days.
  private static boolean isText(Response response) {
    if (response.content() instanceof Content.None
        || response.content() instanceof Content.Upgraded) {
      return false;
    }
    String said = response.headers().get("content-type");
    String full = said == null ? Answers.type(response.content()) : said;
    String type = full.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return (type.startsWith("text/") && !type.equals("text/event-stream"))
        || type.endsWith("+json")
        || type.endsWith("+xml")
        || TEXTS.contains(type);
  }

  private static Response varying(Response response) {
    Headers headers = response.headers();
    return headers.contains("vary", "*") || headers.contains("vary", "accept-encoding")
        ? response
        : response.plusHeader("Vary", "Accept-Encoding");
  }

  /// Which of both the client has is told by the tag that it has of it.
  private static Response unchanged(Request request, Response response) {
    String tag = response.headers().get("etag");
    boolean weak =
        tag != null
            && !tag.startsWith("W/")
            && request.headers().all("if-none-match").stream()
                .anyMatch(v -> v.contains("W/" + tag));
    return varying(weak ? weakened(response) : response);
  }

  // ---- how

  private Response small(Response plain, Content.Bytes content, AcceptEncoding accepted) {
    byte[] packed = Gzip.of(content.bytes(), how.level());
    boolean smaller = packed.length < content.bytes().length;
    return smaller || accepted.refusesIdentity()
        ? encoded(plain).withContent(new Content.Bytes(content.type(), packed))
        : plain;
  }

  private Response streamed(Request request, Response plain) throws IOException {
    boolean written = plain.content() instanceof Content.Streamed;
    if (running >= how.atOnce() || (!written && request.headers().contains("expect"))) {
      return plain; // a client that waits for a word gets none because of an answer that is here
    }
    Response open = plain;
    if (plain.content() instanceof Content.FileRange range && Answers.sendsBody(request, plain)) {
      OpenFile file;
      try {
        file = files.open(range.path());
      } catch (IOException gone) {
        return plain; // who sends it finds out again, and says so
      }
      open =
          plain
              .withContent(
                  new Content.OpenRange(range.type(), file, range.offset(), range.length()))
              .closing(file);
    }
    Content.Writing writing = writing(open.content());
    running++;
    return encoded(open)
        .withContent(
            new Content.Streamed(
                Answers.type(open.content()),
                out -> {
                  try (GzipWriter gzip = new GzipWriter(out, how.level())) {
                    writing.writeTo(gzip);
                    gzip.end();
                  }
                }))
        .closing(() -> running--);
  }

  private static Response encoded(Response response) {
    Response encoded = weakened(response.withHeader("Content-Encoding", "gzip"));
    return encoded.headers().contains("accept-ranges")
        ? encoded.withHeader("Accept-Ranges", "none")
        : encoded;
  }

  /// The bytes are others for the same tag.
  private static Response weakened(Response response) {
    String tag = response.headers().get("etag");
    return tag == null || tag.startsWith("W/") ? response : response.withHeader("ETag", "W/" + tag);
  }

  // ---- what

  private static Content.Writing writing(Content content) {
    return switch (content) {
      case Content.Bytes bytes -> out -> out.write(bytes.bytes());
      case Content.OpenRange file -> out -> writeFile(file, out);
      case Content.Streamed stream -> out -> Answers.writeAll(stream, out);
      case Content.FileRange _, Content.None _, Content.Upgraded _ ->
          _ -> {
            throw new AssertionError("has no body that is written here: " + content);
          };
    };
  }

  private static void writeFile(Content.OpenRange range, ContentWriter out) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(FILE_PIECE, range.length()));
    for (long sent = 0; sent < range.length(); sent += piece.limit()) {
      piece.clear().limit((int) Math.min(piece.capacity(), range.length() - sent));
      if (range.file().read(piece, range.offset() + sent) <= 0) {
        throw new EOFException(range.file() + " has become shorter");
      }
      out.write(piece.flip());
    }
  }
}
