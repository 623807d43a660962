// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.io.IOException;
import java.time.Duration;

/// Server-sent events: what an answer of [Response#events] writes them to. Sending waits where the client is slow.
public final class ServerEvents {
  /// Sends events.
  @FunctionalInterface
  public interface Source {
    /// Sends them; the answer ends when this returns. A client that has gone is an `IOException` of a later send.
    void run(ServerEvents events) throws Exception;
  }

  private final ContentWriter out;

  private ServerEvents(ContentWriter out) {
    this.out = out;
  }

  static void send(Source source, ContentWriter out) throws Exception {
    source.run(new ServerEvents(out));
  }

  /// An event of that text, which may have several lines.
  public void send(String data) throws IOException {
    out.write(lines(new StringBuilder(), "data", data).append('\n').toString());
  }

  /// An event with a name, which the browser's `addEventListener` takes, and an id, which it tells when it comes again
  /// (`Last-Event-ID`); either may be empty.
  ///
  /// @throws IllegalArgumentException if name or id have a line end
  public void send(String name, String id, String data) throws IOException {
    StringBuilder event = new StringBuilder();
    if (!name.isEmpty()) {
      event.append("event: ").append(line(name)).append('\n');
    }
    if (!id.isEmpty()) {
      event.append("id: ").append(line(id)).append('\n');
    }
    out.write(lines(event, "data", data).append('\n').toString());
  }

  /// How long the browser is to wait before it comes again.
  public void retry(Duration wait) throws IOException {
    out.write("retry: " + wait.toMillis() + "\n\n");
  }

  /// A line that browsers ignore: so that connections are not taken for dead.
  public void comment(String text) throws IOException {
    out.write(lines(new StringBuilder(), "", text).append('\n').toString());
  }

  /// Every line, whichever way it ends, has its name before it.
  private static StringBuilder lines(StringBuilder event, String name, String text) {
    int from = 0;
    while (true) {
      int end = from;
      while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
        end++;
      }
      event.append(name).append(": ").append(text, from, end).append('\n');
      if (end >= text.length()) {
        return event;
      }
      boolean both = text.startsWith("\r\n", end);
      from = end + (both ? 2 : 1);
    }
  }

  private static String line(String text) {
    if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0 || text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("it has a line end");
    }
    return text;
  }
}
