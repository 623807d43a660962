// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.read;
import static dev.couv.net.Datagrams.bound;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Local sockets, datagrams and passed sockets, with programs that nobody here wrote.
@InLoop
final class SocketCounterpartsTest {
  /// Gets sockets through the one at `argv[1]`, and sends some back.
  private static final String PYTHON =
      """
      import socket, sys
      way = socket.socket(socket.AF_UNIX)
      way.connect(sys.argv[1])

      data, fds, _, _ = socket.recv_fds(way, 100, 4)
      client = socket.socket(fileno=fds[0])
      client.sendall(b"python has " + data)
      client.close()

      data, fds, _, _ = socket.recv_fds(way, 100, 4)
      listener = socket.socket(fileno=fds[0])
      listener.setblocking(True)  # copies share that flag
      peer, _ = listener.accept()
      peer.sendall(b"accepted for " + data)
      listener.close()

      pairs = [socket.socketpair() for _ in range(3)]
      inet = socket.create_server(("127.0.0.1", 0))
      null = open("/dev/null")
      socket.send_fds(way, [b"back"],
                      [pairs[0][0].fileno(), peer.fileno(), null.fileno(), inet.fileno()])
      peer.close()
      pairs[0][0].close()
      pairs[0][1].sendall(b"through the first")
      print(inet.getsockname()[1], flush=True)
      way.recv(1)
      """;

  @Test
  @Behaviour("PI05")
  void pythonGetsSocketsAndSendsSomeBack(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("way");
    Path script = Files.writeString(folder.resolve("peer.py"), PYTHON);
    try (LocalListener listener = Local.listen(path);
        Program python = Program.start("python3", script.toString(), path.toString());
        LocalStream way = listener.accept();
        TcpPair tcp = TcpPair.open()) {
      way.send(UTF_8.encode("a client"), tcp.server());
      tcp.server().close();
      assertEquals("python has a client", read(tcp.client()));

      InetSocketAddress at;
      try (TcpListener passed = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
        at = passed.local();
        way.send(UTF_8.encode("us"), passed);
      }
      try (TcpStream connected = Tcp.connect(at)) {
        assertEquals("accepted for us", read(connected));

        Received first = way.receive(ByteBuffer.allocate(100));
        assertEquals(4, first.bytes());
        try (LocalStream back = assertInstanceOf(LocalStream.class, first.handle())) {
          assertEquals("through the first", read(back));
        }
        Received second = way.receive(ByteBuffer.allocate(100));
        assertEquals(0, second.bytes());
        try (TcpStream back = assertInstanceOf(TcpStream.class, second.handle())) {
          back.write(UTF_8.encode("both ends are ours again"));
          assertEquals("both ends are ours again", read(connected));
        }
      }
      // The third is no socket, and closed. The fourth listens.
      Received fourth = way.receive(ByteBuffer.allocate(100));
      assertTrue(fourth.isListener());
      int port = Integer.parseInt(Loop.offload(() -> python.line("")));
      try (TcpListener theirs = assertInstanceOf(TcpListener.class, fourth.listener())) {
        assertEquals(port, theirs.local().getPort());
      }
      way.write(UTF_8.encode("!"));
      String end = Loop.offload(python::end);
      assertTrue(end.startsWith("0\n"), end);
    }
  }

  @Test
  void socatTalksOverALocalSocket(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("socket");
    try (LocalListener listener = Local.listen(path);
        Program socat = Program.start("socat", "-t5", "-", "UNIX-CONNECT:" + path);
        LocalStream peer = listener.accept()) {
      socat.say("from socat\n");
      assertEquals("from socat\n", read(peer));
      peer.write(UTF_8.encode("from couv\n"));
      peer.shutdown();
      assertEquals("from couv", Loop.offload(() -> socat.line("couv")));
    }
    try (Program socat = Program.start("socat", "ABSTRACT-LISTEN:couv-" + path, "EXEC:cat")) {
      assertNotNull(socat);
      try (LocalStream stream = connectWhenThere("couv-" + path)) {
        stream.write(UTF_8.encode("abstract"));
        assertEquals("abstract", read(stream));
      }
    }
  }

  private static LocalStream connectWhenThere(String name) throws Exception {
    while (true) {
      try {
        return Local.connectAbstract(name);
      } catch (java.net.ConnectException notYet) {
        Coroutine.pause();
      }
    }
  }

  @Test
  void netcatTalksOverALocalSocket(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("socket");
    try (LocalListener listener = Local.listen(path);
        Program nc = Program.start("nc", "-N", "-U", path.toString());
        LocalStream peer = listener.accept()) {
      nc.say("from nc\n");
      nc.endInput();
      assertEquals("from nc\n", read(peer));
      peer.write(UTF_8.encode("from couv\n"));
      assertEquals("from couv", Loop.offload(() -> nc.line("couv")));
    }
  }

  @Test
  void netcatAndSocatTalkByDatagrams() throws Exception {
    try (UdpSocket here = bound()) {
      String port = Integer.toString(here.local().getPort());
      try (Program nc = Program.start("nc", "-u", "127.0.0.1", port)) {
        exchange(here, nc);
      }
      try (Program socat = Program.start("socat", "-", "UDP:127.0.0.1:" + port)) {
        exchange(here, socat);
      }
    }
    try (UdpSocket here = Udp.bind(TcpPair.address("::1", 0));
        Program socat = Program.start("socat", "-", "UDP6:[::1]:" + here.local().getPort())) {
      exchange(here, socat);
    }
  }

  private static void exchange(UdpSocket here, Program program) throws Exception {
    program.say("question\n");
    ByteBuffer buffer = ByteBuffer.allocate(100);
    Datagram datagram = here.receive(buffer);
    assertEquals("question\n", UTF_8.decode(buffer.flip()).toString());
    here.send(UTF_8.encode("answer\n"), datagram.from());
    assertEquals("answer", Loop.offload(() -> program.line("answer")));
  }
}
