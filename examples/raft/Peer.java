// SPDX-License-Identifier: Apache-2.0
package raft;

import dev.couv.net.Tcp;
import dev.couv.net.TcpStream;
import dev.couv.stream.Framed;
import dev.couv.stream.Framer;
import dev.couv.sync.Mutex;
import dev.couv.time.Time;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/// The way to a member: a connection, made when it is needed, and one question at a time.
public final class Peer implements AutoCloseable {
  /// The longest message, of which most may be a snapshot.
  static final int LONGEST = 64 << 20;

  /// Where a member listens.
  public record Address(String host, int port) {
    static Address parse(String text) {
      int colon = text.lastIndexOf(':');
      return new Address(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
  }

  private final Address address;
  private final Mutex turn = new Mutex();
  private TcpStream connection;
  private Framed<byte[]> frames;

  Peer(Address address) {
    this.address = address;
  }

  /// The answer, or null. Without one the connection is given up: an answer that comes too late is nobody's.
  Message askOrNull(Message question, Duration patience) throws Exception {
    try (var _ = turn.hold()) {
      Message answer = null;
      try {
        return answer = Time.timeout(patience, () -> exchange(question));
      } catch (IOException | TimeoutException lost) {
        return null;
      } finally {
        if (answer == null) close();
      }
    }
  }

  private Message exchange(Message question) throws IOException {
    if (connection == null) {
      connection = Tcp.connect(address.host(), address.port());
      frames = frames(connection);
    }
    frames.write(question.encode());
    frames.flush();
    var answer = frames.read();
    if (answer == null) throw new EOFException(address + " has left");
    return Message.decode(answer);
  }

  /// Messages over a stream, whoever has it.
  static Framed<byte[]> frames(TcpStream stream) {
    return Framed.open(stream, Framer.lengthPrefixed(4)).limit(LONGEST);
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
