// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.FreshJvm;
import dev.couv.coro.Loop;
import java.nio.file.Path;
import java.security.Security;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// New keys while data goes both ways. The JDK asks for them after 128 GiB, unless it is told
/// otherwise before its first handshake: in a JVM of its own.
@Tag("jvm")
final class TlsKeyUpdateTest {
  @Test
  void keysChangeWhileBothSidesReadAndWrite() throws Exception {
    List<String> command = FreshJvm.command(Talk.class, "-Djavax.net.debug=ssl,handshake");
    command.add(TlsFiles.ca().getParent().toString());

    try (Program talk = Program.start(command.toArray(String[]::new))) {
      String end = talk.end();

      assertTrue(end.startsWith("0\n") && end.contains("exchanged"), end);
      long updates = end.lines().filter(line -> line.contains("Produced KeyUpdate")).count();
      assertTrue(updates >= 16, "only " + updates + " updates");
    }
  }

  /// The program in the other JVM.
  static final class Talk {
    private Talk() {}

    public static void main(String[] arguments) throws Exception {
      Security.setProperty(
          "jdk.tls.keyLimits",
          "AES/GCM/NoPadding KeyUpdate 2^20, ChaCha20-Poly1305 KeyUpdate 2^20");
      Path files = Path.of(arguments[0]);
      var server =
          TlsContext.create()
              .identity(files.resolve("server.pem"), files.resolve("server.key"))
              .build();
      TlsOptions options =
          TlsOptions.DEFAULT.withContext(
              TlsContext.create().trust(files.resolve("ca.pem")).build());
      Loop.run(
          () -> {
            TcpPair tcp = TcpPair.open();
            var accepted = Loop.current().spawn(() -> Tls.server(tcp.server(), server));
            try (TlsPair pair =
                new TlsPair(Tls.client(tcp.client(), "localhost", options), accepted.await())) {
              TlsBulkTest.exchange(pair.client(), pair.server(), 12 << 20);
            }
          });
      System.out.println("exchanged");
    }
  }
}
