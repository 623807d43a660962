// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.read;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.BusyException;
import dev.couv.error.UvException;
import dev.couv.loop.PathBytes;
import dev.couv.stream.Coroutines;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.net.BindException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalTest {
  private Path path;

  @BeforeEach
  void choosePath(@TempDir Path folder) {
    path = folder.resolve("socket");
  }

  @Test
  void thePathNeedNotBeText() throws Exception {
    Path odd = path.resolveSibling(PathBytes.path("caf\u00e9".getBytes(ISO_8859_1)));
    Loop.run(
        () -> {
          try (LocalListener listener = Local.listen(odd);
              LocalStream client = Local.connect(odd);
              LocalStream server = listener.accept()) {
            assertTrue(Files.exists(odd));
            assertEquals(UnixDomainSocketAddress.of(odd), listener.local());
            assertEquals(UnixDomainSocketAddress.of(odd), client.remote());
            client.write(UTF_8.encode("ping"));
            assertEquals("ping", read(server));
          }
        });
    assertFalse(Files.exists(odd));
  }

  @InLoop
  @Test
  @Behaviour({"PI01", "PI03", "PI04"})
  void clientAndServerMeetAtAPath() throws Exception {
    try (LocalListener listener = Local.listen(path);
        LocalStream client = Local.connect(path);
        LocalStream server = listener.accept()) {
      client.write(UTF_8.encode("ping"));
      assertEquals("ping", read(server));
      server.write(UTF_8.encode("pong"));
      assertEquals("pong", read(client));

      UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
      assertEquals(address, listener.local());
      assertEquals(address, client.remote());
      assertEquals(address, server.local());
      assertEquals("", server.remote().toString());
      assertEquals("local listener " + path, listener.toString());
      assertEquals("local socket " + path, client.toString());
    }
    assertFalse(Files.exists(path), "the file goes with the listener");
  }

  @InLoop
  @Test
  void clientAndServerMeetAtAnAbstractName() throws Exception {
    String name = "couv-test-" + ProcessHandle.current().pid();
    try (LocalListener listener = Local.listenAbstract(name);
        LocalStream client = Local.connectAbstract(name);
        LocalStream server = listener.accept()) {
      client.write(UTF_8.encode("no file"));
      assertEquals("no file", read(server));
      assertEquals("local listener @" + name, listener.toString());
      assertEquals("", listener.local().toString());
      assertThrows(BindException.class, () -> Local.listenAbstract(name));
      assertThrows(IllegalStateException.class, () -> listener.chmod(true, true));
    }
    assertThrows(ConnectException.class, () -> Local.connectAbstract(name));
    try (LocalListener again = Local.listenAbstract(name)) {
      assertTrue(again.isOpen());
    }
    UvException thrown =
        assertThrows(UvException.class, () -> Local.listenAbstract("x".repeat(200)));
    assertEquals("ENAMETOOLONG", thrown.code());
    assertThrows(IllegalArgumentException.class, () -> Local.listenAbstract(""));
  }

  @InLoop
  @Test
  void pathThatIsTooLongIsNotCut() throws Exception {
    Path longest = path.resolveSibling("x".repeat(107 - path.getParent().toString().length() - 1));
    Path tooLong = Path.of(longest + "y");
    try (LocalListener listener = Local.listen(longest);
        LocalStream client = Local.connect(longest);
        LocalStream server = listener.accept()) {
      assertEquals(UnixDomainSocketAddress.of(longest), client.remote());
      assertTrue(server.isOpen());
    }
    UvException bind = assertThrows(UvException.class, () -> Local.listen(tooLong));
    UvException connect = assertThrows(UvException.class, () -> Local.connect(tooLong));
    assertEquals("ENAMETOOLONG", bind.code());
    assertEquals("bind", bind.call());
    assertEquals(tooLong.toString(), bind.subject());
    assertEquals("ENAMETOOLONG", connect.code());
    assertFalse(Files.exists(longest));
  }

  @InLoop
  @Test
  void staleSocketFileIsReplaced() throws Exception {
    leaveBehind(path);
    assertThrows(ConnectException.class, () -> Local.connect(path));
    assertThrows(
        BindException.class,
        () -> Local.listen(path, LocalOptions.DEFAULT.withReplaceStale(false)));

    try (LocalListener listener = Local.listen(path);
        LocalStream client = Local.connect(path);
        LocalStream server = listener.accept()) {
      assertTrue(client.isOpen() && server.isOpen());
    }
  }

  /// A socket file whose process is gone.
  private static void leaveBehind(Path path) throws Exception {
    try (var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.bind(UnixDomainSocketAddress.of(path)); // the JDK leaves the file
    }
    assertTrue(Files.exists(path));
  }

  @InLoop
  @Test
  void somebodyWhoListensIsNotReplaced() throws Exception {
    try (LocalListener first = Local.listen(path)) {
      BindException thrown = assertThrows(BindException.class, () -> Local.listen(path));

      assertEquals("EADDRINUSE", ((UvException) thrown.getCause()).code());
      // The one that looked whether anybody is there was never a connection.
      try (LocalStream client = Local.connect(path);
          LocalStream server = first.accept()) {
        client.write(UTF_8.encode("still there"));
        assertEquals("still there", read(server));
      }
    }
  }

  @Test
  void somebodyWhoDoesNotListenYetIsNotReplaced() throws Exception {
    try (var bound = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      bound.bind(UnixDomainSocketAddress.of(path));
      Loop.run(() -> assertThrows(BindException.class, () -> Local.listen(path)));
      assertTrue(Files.exists(path));
    }
  }

  @InLoop
  @Test
  void connectionsComeUntilTheListenerIsClosed() throws Exception {
    LocalListener listener = Local.listen(path);
    List<String> served = new ArrayList<>();
    List<Coroutine<?>> servers = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      servers.add(
          Coroutine.spawn(
              () -> {
                for (LocalStream peer : listener) {
                  served.add(name);
                  peer.close();
                }
              }));
    }
    Coroutine.pause();
    assertThrows(BusyException.class, listener::accept);
    for (int i = 1; i <= 3; i++) {
      Local.connect(path).close();
      while (served.size() < i) {
        Coroutine.pause();
      }
    }
    listener.close();
    for (Coroutine<?> server : servers) {
      server.await();
    }

    assertEquals(List.of("a", "b", "a"), served);
    assertFalse(listener.iterator().hasNext());
  }

  @Test
  void fileInTheWayStaysAsItIs() throws Exception {
    Files.writeString(path, "precious");
    Loop.run(
        () -> {
          assertThrows(BindException.class, () -> Local.listen(path));
          assertThrows(ConnectException.class, () -> Local.connect(path));
        });
    assertEquals("precious", Files.readString(path));
    Files.delete(path);
    Files.createDirectory(path);
    Loop.run(() -> assertThrows(BindException.class, () -> Local.listen(path)));
  }

  @InLoop
  @Test
  void missingFileAndFolderAreNamed() throws Exception {
    Path lost = path.resolve("nowhere");
    NoSuchFileException connect =
        assertThrows(NoSuchFileException.class, () -> Local.connect(path));
    assertEquals(path.toString(), connect.getFile());
    assertInstanceOf(UvException.class, connect.getCause());
    assertThrows(NoSuchFileException.class, () -> Local.listen(lost));
    assertThrows(IllegalArgumentException.class, () -> Local.listen(Path.of("")));
    assertThrows(NullPointerException.class, () -> Local.connect(null));
  }

  @InLoop
  @Test
  void permissionsAreThoseAskedFor() throws Exception {
    Set<PosixFilePermission> mine = PosixFilePermissions.fromString("rw-------");
    try (LocalListener listener = Local.listen(path, LocalOptions.DEFAULT.withPermissions(mine))) {
      assertEquals(mine, Files.getPosixFilePermissions(path));

      listener.chmod(PosixFilePermissions.fromString("rw-rw----"));
      assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
      listener.chmod(true, true);
      assertEquals("rw-rw-rw-", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
      assertThrows(IllegalArgumentException.class, () -> listener.chmod(false, false));
    }
    assertThrows(IllegalArgumentException.class, () -> LocalOptions.DEFAULT.withBacklog(-1));
  }

  @InLoop
  @Test
  void clientWaitsWhileTheBacklogIsFull() throws Exception {
    try (LocalListener listener = Local.listen(path, LocalOptions.DEFAULT.withBacklog(1))) {
      List<Coroutine<LocalStream>> clients = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        clients.add(Coroutine.spawn(() -> Local.connect(path)));
      }
      for (int i = 0; i < 50; i++) {
        listener.accept().close();
      }
      for (Coroutine<LocalStream> client : clients) {
        client.await().close();
      }
    }
  }

  @InLoop
  @Test
  void cancelledClientLeavesNothingBehind() throws Exception {
    try (var _ = Local.listen(path)) {
      Coroutine<LocalStream> client = Coroutine.spawn(() -> Local.connect(path));
      Coroutine.pause();
      client.cancel();
      try {
        client.await().close();
      } catch (CancellationException left) {
        // it had not connected
      }
      try (LocalStream next = Local.connect(path)) {
        assertTrue(next.isOpen());
      }
    }
  }

  @InLoop
  @Test
  void acceptIsLeftAsTcpLeavesIt() throws Exception {
    LocalListener listener = Local.listen(path);
    assertThrows(
        TimeoutException.class, () -> Time.timeout(Duration.ofMillis(1), listener::accept));
    Coroutine<LocalStream> acceptor = Coroutine.spawn(listener::accept);
    Coroutine.pause();
    assertThrows(BusyException.class, listener::accept);
    Coroutine<LocalStream> connecting = Coroutine.spawn(() -> Local.connect(path));
    Coroutines.pauseUntilReady(acceptor);
    assertThrows(Resumed.class, () -> acceptor.resume());
    try (LocalStream client = connecting.await()) {
      try (LocalStream server = listener.accept()) {
        client.write(UTF_8.encode("not lost"));
        assertEquals("not lost", read(server));
      }
    }
    Coroutine<LocalStream> last = Coroutine.spawn(listener::accept);
    Coroutine.pause();
    listener.close();
    assertThrows(AsynchronousCloseException.class, last::await);
    assertThrows(ClosedChannelException.class, listener::accept);
  }

  @InLoop
  @Test
  void connectionNobodyAcceptedEndsWithTheListener() throws Exception {
    LocalListener listener = Local.listen(path);
    try (LocalStream client = Local.connect(path)) {
      Coroutine.pause();
      listener.close();

      ByteBuffer buffer = ByteBuffer.allocate(1);
      try {
        assertEquals(-1, client.read(buffer));
      } catch (UvException reset) {
        assertEquals("ECONNRESET", reset.code());
      }
    }
  }

  @InLoop
  @Test
  void writerToAPeerThatDoesNotReadWaitsAndSeesItsEnd() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      ByteBuffer much = ByteBuffer.allocate(8 << 20);
      Coroutine<Void> writer = Coroutine.spawn(() -> pair.first().write(much));
      Coroutines.pauseUntilPending(pair.first());
      assertTrue(pair.first().pending() <= 1 << 16);

      pair.second().close();

      UvException thrown = assertThrows(UvException.class, writer::await);
      assertTrue(Set.of("EPIPE", "ECONNRESET").contains(thrown.code()), thrown.code());
      assertTrue(much.hasRemaining());
    }
  }

  @Test
  void outsideACoroutineNothingHappens() {
    assertThrows(IllegalStateException.class, () -> Local.listen(path));
    assertThrows(IllegalStateException.class, () -> Local.connect(path));
    assertFalse(Files.exists(path));
  }

  @Test
  void linkIsNotReplacedWhereverItLeads() throws Exception {
    Path target = path.resolveSibling("target");
    Files.createSymbolicLink(path, target);
    Loop.run(() -> assertThrows(BindException.class, () -> Local.listen(path)));
    leaveBehind(target);
    Loop.run(() -> assertThrows(BindException.class, () -> Local.listen(path)));
    assertTrue(Files.isSymbolicLink(path));
  }
}
