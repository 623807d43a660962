// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import dev.couv.http.Headers;
import dev.couv.http.Response;
import dev.couv.http.serve.Answers;
import dev.couv.http.serve.CurrentDate;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Locale;
import java.util.Set;

/// Puts the heads of answers together. Names and values were checked when the answer was made.
public final class AnswerHeads {
  /// Those of a connection, of which HTTP/2 knows none.
  private static final Set<String> OF_CONNECTIONS =
      Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

  private final String server;
  private final CurrentDate date = new CurrentDate();

  /// With that name of the server; empty to say none.
  public AnswerHeads(String server) {
    this.server = server;
  }

  Http2Headers of(Response response) {
    Http2Headers fields = new DefaultHttp2Headers(false);
    fields.status(Integer.toString(response.status()));
    Headers headers = response.headers();
    if (!headers.contains("date")) {
      fields.add("date", date.text());
    }
    if (!server.isEmpty() && !headers.contains("server")) {
      fields.add("server", server);
    }
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i).toLowerCase(Locale.ROOT);
      if (!OF_CONNECTIONS.contains(name)) {
        fields.add(name, headers.value(i));
      }
    }
    String type = Answers.type(response.content());
    if (!type.isEmpty() && !headers.contains("content-type")) {
      fields.add("content-type", type);
    }
    long length = length(response);
    if (length >= 0) {
      fields.add("content-length", Long.toString(length));
    }
    return fields;
  }

  static Http2Headers trailers(Headers trailers) {
    Http2Headers fields = new DefaultHttp2Headers(false);
    for (int i = 0; i < trailers.size(); i++) {
      fields.add(trailers.name(i).toLowerCase(Locale.ROOT), trailers.value(i));
    }
    return fields;
  }

  /// What is said of the body, whether it is sent or not; -1 for nothing.
  private static long length(Response response) {
    int status = response.status();
    if (status == 204 || status == 304) {
      return -1;
    }
    if (status == 205) {
      return 0;
    }
    return Answers.length(response.content());
  }
}
