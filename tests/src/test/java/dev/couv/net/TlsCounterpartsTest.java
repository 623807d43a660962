// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.Utf8.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.stream.Lines;
import dev.couv.testing.InLoop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// TLS with programs that nobody here wrote: OpenSSL's client and server, curl, Python.
@InLoop
final class TlsCounterpartsTest {
  // ---- our server

  @ParameterizedTest
  @ValueSource(strings = {"-tls1_2", "-tls1_3"})
  void opensslsClientTalksToOurServer(String version) throws Exception {
    TlsOptions options =
        TlsOptions.DEFAULT
            .withClientCertificate(ClientCertificate.NEED)
            .withApplicationProtocols("couv/1");
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        Program client =
            sClient(
                listener,
                version,
                "-quiet",
                "-alpn",
                "other,couv/1",
                "-cert",
                TlsFiles.file("client.pem").toString(),
                "-key",
                TlsFiles.file("client.key").toString())) {
      client.say("hello\n");
      try (TlsStream peer = Tls.server(listener.accept(), TlsFiles.context("server"), options)) {
        assertEquals("localhost", peer.serverName());
        assertEquals("couv/1", peer.applicationProtocol());
        assertEquals(
            "CN=client", peer.peerCertificates().getFirst().getSubjectX500Principal().getName());
        assertEquals(
            version.equals("-tls1_3") ? "TLSv1.3" : "TLSv1.2", peer.session().getProtocol());
        assertEquals("hello", peer.lines().next());
        peer.write(bytes("HELLO\n"));
        peer.shutdown();
        String end = Loop.offload(client::end);
        assertTrue(end.startsWith("0\n") && end.contains("HELLO"), end);
        assertNull(peer.read());
      }
    }
  }

  @Test
  void opensslsClientWithoutACertificateIsToldSo() throws Exception {
    TlsOptions needing = TlsOptions.DEFAULT.withClientCertificate(ClientCertificate.NEED);
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        Program client = sClient(listener, "-tls1_3", "-quiet")) {
      TcpStream accepted = listener.accept();
      assertThrows(
          SSLException.class, () -> Tls.server(accepted, TlsFiles.context("server"), needing));
      String end = Loop.offload(client::end);
      assertTrue(end.contains("certificate required"), end);
    }
  }

  @Test
  void opensslsKeyUpdatesAreAnsweredByAReaderThatWritesNothing() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        Program client = sClient(listener, "-tls1_3");
        TlsStream peer = Tls.server(listener.accept(), TlsFiles.context("server"))) {
      Loop.offload(() -> client.line("Verify return code"));
      Lines lines = peer.lines();
      for (int i = 0; i < 3; i++) {
        client.say("K\n"); // asks for new keys in both directions
        Loop.offload(() -> client.line("KEYUPDATE"));
        client.say("line " + i + "\n");
        assertEquals("line " + i, lines.next());
      }
      peer.write(bytes("new keys work\n"));
      Loop.offload(() -> client.line("new keys work"));
      client.say("Q\n");
      assertNull(lines.next());
    }
  }

  @Test
  void opensslsRenegotiationIsRefused() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        Program client = sClient(listener, "-tls1_2");
        TlsStream peer = Tls.server(listener.accept(), TlsFiles.context("server"))) {
      Loop.offload(() -> client.line("Extended master secret"));
      client.say("R\n");

      SSLException refused = assertThrows(SSLException.class, peer::read);
      assertTrue(refused.getMessage().contains("renegotiate"), refused.getMessage());
      assertThrows(SSLException.class, () -> peer.write(bytes("x")));
      client.endInput();
      String end = Loop.offload(client::end);
      assertTrue(end.contains("RENEGOTIATING"), end);
    }
  }

  private static Program sClient(TcpListener listener, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "openssl",
                "s_client",
                "-connect",
                "127.0.0.1:" + listener.local().getPort(),
                "-CAfile",
                TlsFiles.ca().toString(),
                "-verify_return_error",
                "-verify_hostname",
                "localhost",
                "-servername",
                "localhost"));
    command.addAll(List.of(more));
    return Program.start(command.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.2", "1.3"})
  void curlGetsAndPutsOverHttps(String version) throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      var serving = Coroutine.spawn(() -> serveHttp(listener.accept()));
      String url = "https://localhost:" + listener.local().getPort() + "/";
      try (Program curl =
          Program.start(
              "curl",
              "-sS",
              "--noproxy",
              "*",
              "--http1.1",
              "--ipv4",
              "--tlsv" + version,
              "--tls-max",
              version,
              "--cacert",
              TlsFiles.ca().toString(),
              "--max-time",
              "30",
              "-w",
              "%{http_code} %{ssl_verify_result} %{num_connects} %{size_download}\n",
              "-o",
              "/dev/null",
              url + "300000",
              "-o",
              "/dev/null",
              url + "5")) {
        String end = Loop.offload(curl::end);
        assertEquals("0\n200 0 1 300000\n200 0 0 5\n", end);
      }
      assertEquals(2, serving.await());
    }
  }

  /// Enough HTTP for the test: the path says how long the answer is. How many requests there were.
  private static int serveHttp(TcpStream transport) throws Exception {
    int requests = 0;
    TlsOptions options = TlsOptions.DEFAULT.withApplicationProtocols("http/1.1");
    try (TlsStream peer = Tls.server(transport, TlsFiles.context("server"), options)) {
      Lines lines = peer.lines();
      for (String request; (request = lines.next()) != null; requests++) {
        int length = Integer.parseInt(request.split(" ")[1].substring(1));
        while (!lines.next().isEmpty()) {
          // headers
        }
        String head = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n".formatted(length);
        peer.write(bytes(head), ByteBuffer.allocate(length));
      }
    }
    return requests;
  }

  @Test
  void curlRefusesAnotherHostsCertificate() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        Program curl =
            Program.start(
                "curl",
                "-sS",
                "--noproxy",
                "*",
                "--ipv4",
                "--cacert",
                TlsFiles.ca().toString(),
                "https://localhost:" + listener.local().getPort() + "/")) {
      TcpStream accepted = listener.accept();
      var serving =
          Coroutine.spawn(
              () -> {
                try (TlsStream peer = Tls.server(accepted, TlsFiles.context("other"))) {
                  assertNull(peer.read()); // it has nothing to ask there
                } catch (SSLException refused) {
                  assertTrue(refused.getMessage().contains("alert"), refused.getMessage());
                }
              });
      String end = Loop.offload(curl::end);
      assertTrue(end.startsWith("60\n"), end);
      serving.await();
    }
  }

  // ---- our client

  @ParameterizedTest
  @ValueSource(strings = {"-tls1_2", "-tls1_3"})
  void weTalkToOpensslsServer(String version) throws Exception {
    try (Program server =
        Program.start(
            "openssl",
            "s_server",
            "-accept",
            "127.0.0.1:0",
            "-naccept",
            "1",
            "-cert",
            TlsFiles.file("server.pem").toString(),
            "-key",
            TlsFiles.file("server.key").toString(),
            "-CAfile",
            TlsFiles.ca().toString(),
            "-Verify",
            "2",
            "-verify_return_error",
            "-alpn",
            "couv/1",
            "-rev",
            version)) {
      int port = portIn(Loop.offload(() -> server.line("ACCEPT")));
      TlsOptions options =
          TlsOptions.DEFAULT
              .withContext(TlsFiles.context("client"))
              .withApplicationProtocols("couv/1");
      try (TlsStream stream = Tls.connect("localhost", port, options)) {
        assertEquals("couv/1", stream.applicationProtocol());
        Lines lines = stream.lines();
        for (String word : List.of("hello", "world")) {
          stream.write(bytes(word + "\n"));
          assertEquals(new StringBuilder(word).reverse().toString(), lines.next());
        }
      }
      String said = Loop.offload(server::end);
      assertTrue(said.contains("CN = client"), said);
    }
  }

  @Test
  void pythonsEndsAreOursAndOursArePythons() throws Exception {
    String client =
        """
        import socket, ssl, sys
        context = ssl.create_default_context(cafile=sys.argv[2])
        raw = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        with context.wrap_socket(raw, server_hostname="localhost") as tls:
            tls.sendall(b"x" * 100000 + b"\\n")
            print(tls.version(), tls.recv(100).decode())
            tls.unwrap()      # sends close_notify and waits for ours
            print("ended")
        """;
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        Program python =
            Program.start(
                "python3",
                "-c",
                client,
                Integer.toString(listener.local().getPort()),
                TlsFiles.ca().toString());
        TlsStream peer = Tls.server(listener.accept(), TlsFiles.context("server"))) {
      ByteBuffer got = ByteBuffer.allocate(100_001);
      peer.readFully(got);
      assertEquals('\n', got.get(100_000));
      peer.write(bytes("thanks"));
      assertNull(peer.read());
      peer.shutdown();

      assertEquals(
          "0\ntlsv1.3 thanks\nended\n", Loop.offload(python::end).toLowerCase(Locale.ROOT));
    }
  }

  @Test
  void aPythonServerThatForgetsCloseNotifyIsNoticed() throws Exception {
    String server =
        """
        import socket, ssl, sys
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        raw, _ = listener.accept()
        tls = context.wrap_socket(raw, server_side=True)
        tls.sendall(tls.recv(100).upper())
        tls.close()           # without unwrap
        """;
    try (Program python =
        Program.start(
            "python3",
            "-c",
            server,
            TlsFiles.file("server.pem").toString(),
            TlsFiles.file("server.key").toString())) {
      int port = Integer.parseInt(Loop.offload(() -> python.line("")));
      try (TlsStream stream = Tls.connect("127.0.0.1", port, TlsPair.options())) {
        stream.write(bytes("loud"));
        assertEquals("LOUD", text(stream.read()));
        var cut = assertThrows(dev.couv.error.UvException.class, stream::read);
        assertEquals("EOF", cut.code());
      }
    }
  }

  private static int portIn(String line) {
    return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1).strip());
  }
}
