// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.Utf8.text;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/// The name a client asks for is what its certificate was chosen by, whatever the client does to make two
/// readers of its hello see two names.
final class TlsNameTest {
  private static final byte[] NOTHING = {};
  private static final int NAME_EXTENSION = 18; // "localhost", the last of the raw client's hello

  private static byte[] name(int type, String name) {
    return RawTls.join(new byte[] {(byte) type}, RawTls.vector(2, name.getBytes(US_ASCII)));
  }

  private static byte[] extension(int type, byte[] content) {
    return RawTls.join(new byte[] {0, (byte) type}, RawTls.vector(2, content));
  }

  /// The hello, with other extensions in place of the name.
  private static UnaryOperator<byte[]> hello(byte[]... instead) {
    return message -> {
      if (message[0] != 1) {
        return message;
      }
      byte[] before = Arrays.copyOfRange(message, 4, 45);
      byte[] kept = Arrays.copyOfRange(message, 47, message.length - NAME_EXTENSION);
      return RawTls.message(1, before, RawTls.vector(2, RawTls.join(kept, RawTls.join(instead))));
    };
  }

  /// What the server chose by; then what it says the name is, or how it failed.
  private static List<String> served(UnaryOperator<byte[]> change) throws Exception {
    List<String> seen = new ArrayList<>();
    Loop.run(
        () -> {
          Pair pair = LocalStream.pair();
          try (pair) {
            var serving =
                Coroutine.spawn(
                    () -> {
                      try (TlsStream stream =
                          Tls.server(
                              pair.second(),
                              name -> {
                                seen.add(name);
                                return TlsFiles.context("server");
                              },
                              TlsOptions.DEFAULT)) {
                        seen.add(stream.serverName());
                      } catch (IOException refused) {
                        seen.add("refused");
                      }
                    });
            try {
              RawTls.client(pair.first(), change);
            } catch (IOException refused) {
              // the server's part tells
            }
            serving.await();
          }
        });
    return seen;
  }

  @Test
  void theNameIsTheOneThatTheChoiceWasMadeBy() throws Exception {
    assertEquals(List.of("localhost", "localhost"), served(UnaryOperator.identity()));
    assertEquals(Arrays.asList(null, null), served(hello(NOTHING)));
  }

  @Test
  void aNameThatIsHiddenFromTheChoiceIsRefused() throws Exception {
    byte[] two = RawTls.vector(2, name(1, "decoy"), name(0, "localhost"));
    byte[] twice = extension(0, RawTls.vector(2, name(0, "localhost")));
    byte[] padding = extension(21, new byte[17_000]);
    for (UnaryOperator<byte[]> hidden :
        List.of(
            hello(extension(0, two)),
            hello(padding, twice),
            hello(extension(0, RawTls.vector(2, name(0, "decoy"))), twice))) {
      List<String> seen = served(hidden);
      String chosen = seen.getFirst();
      String told = seen.getLast();
      assertTrue("refused".equals(told) || told.equals(chosen), seen::toString);
    }
  }

  @InLoop
  @Test
  void aSessionThatIsResumedHasItsName() throws Exception {
    SSLContext server =
        TlsContext.create()
            .identity(TlsFiles.file("server.pem"), TlsFiles.file("server.key"))
            .build();
    TlsOptions options = TlsPair.options();
    for (String version : List.of("TLSv1.3", "TLSv1.2")) {
      for (int i = 0; i < 3; i++) {
        TcpPair tcp = TcpPair.open();
        var serving =
            Coroutine.spawn(() -> Tls.server(tcp.server(), name -> server, TlsOptions.DEFAULT));
        try (TlsStream client =
                Tls.client(tcp.client(), "LocalHost", options.withProtocols(version));
            TlsStream here = serving.await()) {
          assertTrue("localhost".equalsIgnoreCase(here.serverName()), here.serverName());
          here.write(bytes("x"));
          assertEquals("x", text(client.read()));
        }
      }
    }
  }
}
