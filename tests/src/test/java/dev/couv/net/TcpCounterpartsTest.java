// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Needed;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.stream.ByteStream;
import dev.couv.testing.InLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// TCP with programs that nobody here wrote: bytes go there and come back as they were.
final class TcpCounterpartsTest {
  private static final byte[] BYTES = new byte[2_000_003];

  static {
    new Random(42).nextBytes(BYTES);
  }

  @TempDir Path folder;

  /// Clients that send what is in a file, end their side and keep what comes back in another.
  enum Client {
    SOCAT("socat", "socat -t 30 - TCP:127.0.0.1:$PORT < $IN > $OUT"),
    NETCAT("nc", "nc -N 127.0.0.1 $PORT < $IN > $OUT"),
    PYTHON(
        "python3",
        """
        exec python3 - <<'END'
        import socket, threading
        s = socket.create_connection(('127.0.0.1', $PORT))
        def send():
            s.sendall(open('$IN', 'rb').read())
            s.shutdown(socket.SHUT_WR)
        threading.Thread(target=send).start()
        with open('$OUT', 'wb') as out:
            while True:
                b = s.recv(65536)
                if not b: break
                out.write(b)
        END
        """),
    NODE(
        "node",
        """
        exec node -e "
        const s = require('net').connect({port: $PORT, host: '127.0.0.1', allowHalfOpen: true});
        require('fs').createReadStream('$IN').pipe(s);
        s.pipe(require('fs').createWriteStream('$OUT'));
        "
        """);

    private final String program;
    private final String script;

    Client(String program, String script) {
      this.program = program;
      this.script = script;
    }

    Program start(int port, Path in, Path out) throws IOException {
      Needed.program(program); // the shell would say so to nobody
      return Program.start(
          "/bin/sh",
          "-c",
          script
              .replace("$PORT", String.valueOf(port))
              .replace("$IN", in.toString())
              .replace("$OUT", out.toString()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatAClientSendsComesBackToItAfterItHasEndedItsSide(Client client) throws Exception {
    Path in = Files.write(folder.resolve("in"), BYTES);
    Path out = folder.resolve("out");
    Loop.run(
        () -> {
          try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
              Program program = client.start(listener.local().getPort(), in, out)) {
            try (TcpStream peer = listener.accept()) {
              assertEquals(BYTES.length, ByteStream.copy(peer, peer));
              peer.shutdown();
              assertEquals("0\n", Loop.offload(program::end));
            }
          }
        });
    assertArrayEquals(BYTES, Files.readAllBytes(out));
  }

  @InLoop
  @Test
  void whatIsSentToAServerComesBack() throws Exception {
    try (Program socat =
        Program.start("socat", "-d", "-d", "TCP-LISTEN:0,bind=127.0.0.1", "EXEC:cat")) {
      String listening = Loop.offload(() -> socat.line("listening on"));
      int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
      try (TcpStream stream = Tcp.connect("localhost", port)) {
        Coroutine<?> sending =
            Coroutine.spawn(
                () -> {
                  stream.write(ByteBuffer.wrap(BYTES));
                  stream.shutdown();
                });
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        stream.input().transferTo(received);
        sending.await();
        assertArrayEquals(BYTES, received.toByteArray());
      }
    }
  }

  @InLoop
  @Test
  void linesGoToAndFroWithNetcat() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("::1", 0));
        Program netcat =
            Program.start("nc", "-N", "::1", String.valueOf(listener.local().getPort()));
        TcpStream peer = listener.accept()) {
      var lines = peer.lines();
      for (int i = 0; i < 20; i++) {
        netcat.say("line " + i + "\r\n");
        assertEquals("line " + i, lines.next());
        peer.write(ByteBuffer.wrap(("answer " + i + "\n").getBytes()));
        int number = i;
        assertEquals("answer " + i, Loop.offload(() -> netcat.line("answer " + number)));
      }
      netcat.endInput();
      assertTrue(lines.next() == null);
    }
  }

  @InLoop
  @Test
  void aProgramThatIsKilledEndsItsConnectionAndNoOther() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      String port = String.valueOf(listener.local().getPort());
      Program killed = Program.start("nc", "127.0.0.1", port);
      TcpStream one = listener.accept();
      Program other = Program.start("nc", "127.0.0.1", port);
      TcpStream two = listener.accept();

      killed.close();

      assertEquals(-1, one.read(ByteBuffer.allocate(1)));
      other.say("x");
      assertEquals(1, two.read(ByteBuffer.allocate(1)));
      other.close();
      one.close();
      two.close();
    }
  }
}
