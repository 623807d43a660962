// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/// What a server answers, the same way over either version: a connection for each request, byte by byte.
record Asked(int status, Headers headers, String bytes) {
  /// Asks without a body.
  static Asked get(HttpFixture http, HttpVersion version, String path, String... headers)
      throws IOException {
    return ask(http, version, "GET", path, "", headers);
  }

  static Asked ask(
      HttpFixture http,
      HttpVersion version,
      String method,
      String path,
      String body,
      String... headers)
      throws IOException {
    return version == HttpVersion.HTTP_2
        ? two(http, method, path, body, headers)
        : one(http, version, method, path, body, headers);
  }

  private static Asked two(
      HttpFixture http, String method, String path, String body, String... headers)
      throws IOException {
    try (RawTwo client = RawTwo.open(http, 4, 1 << 30)) {
      client.window(0, 1 << 29);
      int end = body.isEmpty() ? RawTwo.END_STREAM : 0;
      client.frame(
          RawTwo.HEADERS, RawTwo.END_HEADERS | end, 1, RawTwo.request(method, path, headers));
      if (!body.isEmpty()) {
        client.data(1, body, true);
      }
      RawTwo.Answer answer = client.answer(1);
      if (answer.reset > 0) {
        throw new IOException("reset " + answer.reset);
      }
      Headers.Builder got = Headers.builder();
      answer.head.forEach(
          field -> {
            if (!field.getKey().toString().startsWith(":")) {
              got.add(field.getKey().toString(), field.getValue().toString());
            }
          });
      return new Asked(answer.status, got.build(), answer.body.toString());
    }
  }

  private static Asked one(
      HttpFixture http,
      HttpVersion version,
      String method,
      String path,
      String body,
      String... headers)
      throws IOException {
    StringBuilder asking =
        new StringBuilder(method + " " + path + " " + version + "\r\nHost: here\r\n");
    if (version == HttpVersion.HTTP_1_1) {
      asking.append("Connection: close\r\n");
    }
    if (!body.isEmpty()) {
      asking.append("Content-Length: ").append(body.length()).append("\r\n");
    }
    for (int i = 0; i < headers.length; i += 2) {
      asking.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
    }
    String all = http.all(asking + "\r\n" + body);
    int end = all.indexOf("\r\n\r\n");
    Headers.Builder got = Headers.builder();
    all.substring(0, end)
        .lines()
        .skip(1)
        .forEach(line -> got.add(line.split(": ", 2)[0], line.split(": ", 2)[1]));
    Headers head = got.build();
    String rest = all.substring(end + 4);
    boolean chunked = head.contains("transfer-encoding", "chunked") && !method.equals("HEAD");
    return new Asked(
        Integer.parseInt(all.substring(9, 12)), head, chunked ? withoutChunks(rest) : rest);
  }

  private static String withoutChunks(String chunks) throws IOException {
    StringBuilder body = new StringBuilder();
    int at = 0;
    while (true) {
      int line = chunks.indexOf("\r\n", at);
      if (line < 0) {
        throw new IOException("torn");
      }
      int size = Integer.parseInt(chunks.substring(at, line), 16);
      if (size == 0) {
        return body.toString();
      }
      body.append(chunks, line + 2, line + 2 + size);
      at = line + 2 + size + 2;
    }
  }

  String header(String name) {
    String value = headers.get(name);
    return value == null ? "" : value;
  }

  /// The body as it was before it was compressed.
  String unpacked() throws IOException {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(bytes.getBytes(ISO_8859_1)))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Override
  public String toString() {
    return status + " " + bytes;
  }
}
