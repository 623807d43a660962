// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.Headers;
import dev.couv.http.Response;
import dev.couv.http.serve.CurrentDate;
import java.nio.charset.StandardCharsets;

/// Puts the heads of answers together, in one array that all connections of a loop use in turn: nobody waits between the
/// first byte and the last.
///
/// Names and values were checked when the headers were made, the media type when the content was; so nothing in them can end the head.
public final class Heads {
  private static final byte[] CONTENT_LENGTH = ascii("\r\ncontent-length: ");
  private static final byte[] CONTENT_TYPE = ascii("\r\ncontent-type: ");
  private static final byte[] CHUNKED = ascii("\r\ntransfer-encoding: chunked");
  private static final byte[] CLOSE = ascii("\r\nconnection: close");
  private static final byte[] KEEP_ALIVE = ascii("\r\nconnection: keep-alive");
  private static final byte[] UPGRADE = ascii("\r\nconnection: upgrade");

  private static final int UPGRADE_REQUIRED = 426;

  /// An array of no more than this stays.
  private static final int KEPT = 1 << 14;

  private static final byte[][] STATUS_LINES = new byte[600][];

  private final byte[] server;

  private byte[] array = new byte[1 << 10];
  private int size;

  private final CurrentDate now = new CurrentDate();
  private String dateText = "";
  private byte[] date = new byte[0];

  /// With that name of the server; empty to say none.
  public Heads(String server) {
    this.server = server.isEmpty() ? new byte[0] : ascii("\r\nserver: " + server);
  }

  /// How the end of a body is told.
  enum Framed {
    /// There is none, and nothing is said.
    WITHOUT,
    /// Its length is said.
    LENGTH,
    /// By its last chunk.
    CHUNKS,
    /// By the end of the connection.
    CLOSE
  }

  /// The connection after the answer.
  enum Then {
    CLOSE,
    /// Stays, as every one of HTTP/1.1.
    STAY,
    /// Stays, which a client of HTTP/1.0 has to be told.
    STAY_SAID,
    UPGRADE
  }

  /// Begins anew, with the head of that answer.
  void head(Response response, String type, Framed framed, long length, Then then) {
    size = 0;
    int status = response.status();
    put(STATUS_LINES[status] == null ? statusLine(status) : STATUS_LINES[status]);
    Headers headers = response.headers();
    if (!headers.contains(KnownNames.DATE)) {
      putDate();
    }
    if (!headers.contains(KnownNames.SERVER)) {
      put(server);
    }
    for (int i = 0; i < headers.size(); i++) {
      put(headers.name(i), headers.value(i));
    }
    if (!type.isEmpty() && !headers.contains("content-type")) {
      put(CONTENT_TYPE);
      put(type);
    }
    switch (framed) {
      case LENGTH -> {
        put(CONTENT_LENGTH);
        putNumber(length);
      }
      case CHUNKS -> put(CHUNKED);
      case WITHOUT, CLOSE -> {}
    }
    if (status == UPGRADE_REQUIRED) {
      put(UPGRADE); // as RFC 9110 wants it of whoever says to what: the field is for the next party
      // alone
    }
    switch (then) {
      case CLOSE -> put(CLOSE);
      case STAY_SAID -> put(KEEP_ALIVE);
      case UPGRADE -> put(UPGRADE);
      case STAY -> {}
    }
    room(4);
    array[size++] = '\r';
    array[size++] = '\n';
    array[size++] = '\r';
    array[size++] = '\n';
  }

  /// Puts a body behind the head.
  void body(byte[] bytes) {
    put(bytes);
  }

  /// What was put together, from the first byte on, until somebody begins anew.
  byte[] array() {
    return array;
  }

  int size() {
    return size;
  }

  /// The array was used: one that is large is let go.
  void used() {
    if (array.length > KEPT) {
      array = new byte[1 << 10];
    }
  }

  // ---- how

  private void put(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, array, size, bytes.length);
    size += bytes.length;
  }

  private void put(String name, String value) {
    room(name.length() + value.length() + 4);
    array[size++] = '\r';
    array[size++] = '\n';
    put(name);
    array[size++] = ':';
    array[size++] = ' ';
    put(value);
  }

  /// Only characters of one byte get here: others are refused where headers are made, and media types where contents are.
  @SuppressWarnings("deprecation") // of all ways the one that copies once
  private void put(String text) {
    room(text.length() + 4);
    text.getBytes(0, text.length(), array, size);
    size += text.length();
  }

  private void putNumber(long number) {
    room(20);
    int digits = 1;
    for (long rest = number; rest >= 10; rest /= 10) {
      digits++;
    }
    long rest = number;
    for (int i = size + digits - 1; i >= size; i--) {
      array[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += digits;
  }

  private void putDate() {
    String text = now.text();
    if (text != dateText) {
      dateText = text;
      date = ascii("\r\ndate: " + text);
    }
    put(date);
  }

  private void room(int count) {
    if (array.length - size < count) {
      byte[] larger = new byte[Math.max(2 * array.length, size + count)];
      System.arraycopy(array, 0, larger, 0, size);
      array = larger;
    }
  }

  private static byte[] statusLine(int status) {
    byte[] line = ascii("HTTP/1.1 " + status + " " + Reasons.of(status));
    STATUS_LINES[status] = line; // whoever else does the same at once writes the same
    return line;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
