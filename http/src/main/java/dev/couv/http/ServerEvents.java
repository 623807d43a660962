// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.coro.Await;
import dev.couv.sync.Mutex;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;

/// Server-sent events: what an answer of [Response#events] writes them to. Sending waits where the client is slow.
///
/// Several coroutines may send: each event goes as a whole, in the order in which they came.
///
/// That a client has gone is seen by sending to it: who has nothing to say sends a [#comment] now and then, or has that done
/// ([Response#events(Duration, ServerEvents.Source)]).
public final class ServerEvents {
  /// Sends events.
  @FunctionalInterface
  public interface Source {
    /// Sends them; the answer ends when this returns. A client that has gone is an `IOException` of a later send, perhaps not the next.
    void run(ServerEvents events) throws Exception;
  }

  private final ContentWriter out;

  /// Of whoever writes.
  private final Mutex turn = new Mutex();

  /// When something was written last, by `Time.nanos()`.
  private long last = Time.nanos();

  private ServerEvents(ContentWriter out) {
    this.out = out;
  }

  static void send(Source source, ContentWriter out) throws Exception {
    source.run(new ServerEvents(out));
  }

  /// With a comment after so much silence. It fails if the client has gone, and then the source is cancelled.
  static void send(Source source, Duration silence, ContentWriter out) throws Exception {
    ServerEvents events = new ServerEvents(out);
    Await.race(
        () -> {
          source.run(events);
          return true;
        },
        () -> {
          events.breakSilence(silence.toNanos());
          return false;
        });
  }

  private void breakSilence(long silence) throws IOException {
    while (true) {
      long left = silence - (Time.nanos() - last);
      if (left > 0) {
        Time.sleep(Duration.ofNanos(left));
      } else {
        comment("");
      }
    }
  }

  private void write(CharSequence event) throws IOException {
    if (!turn.tryLock()) { // which is no await: who was cancelled may say a last word
      turn.lock();
    }
    try {
      out.write(event.toString());
      last = Time.nanos();
    } finally {
      turn.unlock();
    }
  }

  /// An event of that text, which may have several lines.
  public void send(String data) throws IOException {
    write(lines(new StringBuilder(), "data", data).append('\n'));
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
    write(lines(event, "data", data).append('\n'));
  }

  /// How long the browser is to wait before it comes again.
  public void retry(Duration wait) throws IOException {
    write("retry: " + wait.toMillis() + "\n\n");
  }

  /// A line that browsers ignore: so that connections are not taken for dead.
  public void comment(String text) throws IOException {
    write(lines(new StringBuilder(), "", text).append('\n'));
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
