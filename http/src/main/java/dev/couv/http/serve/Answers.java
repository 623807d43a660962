// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.http.Content;
import dev.couv.http.Request;
import dev.couv.http.Response;

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
      case Content.Streamed stream -> stream.type();
    };
  }

  /// The answer to what is refused.
  public static Response of(Refused refused) {
    return Response.text(refused.getMessage() + "\n").withStatus(refused.status());
  }
}
