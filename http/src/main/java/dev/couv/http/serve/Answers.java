// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Resumed;
import dev.couv.http.Content;
import dev.couv.http.ContentWriter;
import dev.couv.http.Request;
import dev.couv.http.Response;
import java.io.IOException;

/// What is said of answers in every version of HTTP.
public final class Answers {
  /// In place of a file that is gone when it is to be sent.
  public static final Response GONE = Response.text("it is not there any more\n").withStatus(404);

  private Answers() {}

  /// Whether the body of the answer is sent, and not only told of.
  public static boolean sendsBody(Request request, Response response) {
    int status = response.status();
    return status != 204 && status != 205 && status != 304 && !request.method().equals("HEAD");
  }

  /// The media type that is said; empty to say none.
  public static String type(Content content) {
    return switch (content) {
      case Content.None _, Content.Upgraded _ -> "";
      case Content.Bytes bytes -> bytes.type();
      case Content.FileRange file -> file.type();
      case Content.OpenRange file -> file.type();
      case Content.Streamed stream -> stream.type();
    };
  }

  /// How many bytes the body has; -1 if that is not known before it was written.
  public static long length(Content content) {
    return switch (content) {
      case Content.None _ -> 0;
      case Content.Bytes bytes -> bytes.bytes().length;
      case Content.FileRange file -> file.length();
      case Content.OpenRange file -> file.length();
      case Content.Streamed stream -> stream.length();
      case Content.Upgraded _ -> -1;
    };
  }

  /// Has a body written, and sees to it that it has the length that was told.
  ///
  /// @throws Torn if who makes it has failed
  /// @throws ClientGone if the client does not take it any more
  public static void write(Content.Streamed content, ContentWriter out) throws IOException {
    try {
      writeAll(content, out);
    } catch (ClientGone gone) {
      throw gone;
    } catch (Cancelled | Resumed leaving) {
      throw leaving;
    } catch (Exception | Error failed) {
      throw new Torn(failed);
    }
  }

  /// The same, for who tells of failures himself.
  static void writeAll(Content.Streamed content, ContentWriter out) throws Exception {
    if (content.length() < 0) {
      content.writing().writeTo(out);
    } else {
      SizedWriter sized = new SizedWriter(out, content.length());
      content.writing().writeTo(sized);
      sized.end();
    }
  }

  /// The answer to what is refused.
  public static Response of(Refused refused) {
    return Response.text(refused.getMessage() + "\n").withStatus(refused.status());
  }
}
