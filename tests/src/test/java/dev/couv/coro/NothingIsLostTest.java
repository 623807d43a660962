// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A coroutine whose await has completed, and which has not run since, is resumed or cancelled: what
/// the await had got is there for the next one.
class NothingIsLostTest {
  private final List<Object> log = new ArrayList<>();
  private final Loop loop = Loop.open();
  private TcpListener listener;
  private Socket peer;
  private TcpStream stream;

  @BeforeEach
  void connect() throws Exception {
    run(() -> listener = Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    peer = dial();
    run(() -> stream = listener.accept());
  }

  @AfterEach
  void close() throws IOException {
    peer.close();
    loop.close();
  }

  // ---- bytes

  @Test
  void bytesOfAResumedReadAreTheNextReads() throws Exception {
    Coroutine<?> reader =
        begin(
            () -> {
              ByteBuffer buffer = ByteBuffer.allocate(10);
              log.add(assertThrows(Resumed.class, () -> stream.read(buffer)).values());
              assertEquals(0, buffer.position());
            });
    send("hello");

    whenReady(reader, () -> reader.resume("instead"));

    assertEquals(List.of(List.of("instead")), log);
    assertEquals("hello", readText(10));
  }

  @Test
  void bytesOfAResumedReadInADirectBufferAreTheNextReads() throws Exception {
    Coroutine<?> reader =
        begin(
            () -> {
              ByteBuffer buffer = ByteBuffer.allocateDirect(10);
              assertThrows(Resumed.class, () -> stream.read(buffer));
              buffer.put(0, new byte[10]); // it is the caller's again
            });
    send("hello");

    whenReady(reader, reader::resume);

    assertEquals("hello", readText(10));
  }

  @Test
  void bytesThatWereNotReadYetComeAfterThem() throws Exception {
    Coroutine<?> reader = begin(() -> assertThrows(Resumed.class, () -> text(3)));
    send("abcdef");
    whenReady(reader, reader::resume);

    assertEquals("ab", readText(2));
    assertEquals("c", readText(2));
    assertEquals("def", readText(10));
  }

  @Test
  void bytesOfAReadThatMakesItsOwnBufferAreKeptToo() throws Exception {
    Coroutine<?> reader = begin(() -> assertThrows(Resumed.class, stream::read));
    send("hello");

    whenReady(reader, reader::resume);

    assertEquals("hello", readText(10));
  }

  @Test
  void aReadThatIsCompleteSurvivesACancel() throws Exception {
    List<String> texts = new ArrayList<>();
    Coroutine<?> reader =
        begin(
            () -> {
              texts.add(text(10));
              texts.add(text(10));
            });
    send("hello");

    whenReady(reader, () -> reader.cancel());
    loop.run(Mode.LOOP);

    assertEquals(List.of("hello"), texts);
    assertEquals(Status.CANCELLED, reader.status());
    send("next");
    assertEquals("next", readText(10));
  }

  @Test
  void aReadThatTimesOutLeavesLaterBytesAlone() throws Exception {
    run(
        () ->
            assertThrows(
                TimeoutException.class, () -> Time.timeout(Duration.ofMillis(1), () -> text(10))));

    send("hello");

    assertEquals("hello", readText(10));
  }

  @Test
  void theEndOfTheStreamStaysAfterAResumedRead() throws Exception {
    Coroutine<?> reader =
        begin(() -> assertThrows(Resumed.class, () -> stream.read(ByteBuffer.allocate(1))));
    peer.shutdownOutput();

    whenReady(reader, reader::resume);

    run(() -> log.add(stream.read(ByteBuffer.allocate(1))));
    assertEquals(List.of(-1), log);
  }

  // ---- connections

  @Test
  void theConnectionOfAResumedAcceptIsTheNextAccepts() throws Exception {
    Coroutine<?> acceptor = begin(() -> assertThrows(Resumed.class, listener::accept));
    try (Socket dialled = dial()) {

      whenReady(acceptor, acceptor::resume);

      run(
          () -> {
            try (TcpStream accepted = listener.accept()) {
              log.add(accepted.remote().getPort());
            }
          });
      assertEquals(List.of(dialled.getLocalPort()), log);
    }
  }

  @Test
  void connectionsKeepTheirOrder() throws Exception {
    Coroutine<?> acceptor = begin(() -> assertThrows(Resumed.class, listener::accept));
    try (Socket first = dial();
        Socket second = dial()) {
      whenReady(acceptor, acceptor::resume);

      run(
          () -> {
            for (int i = 0; i < 2; i++) {
              try (TcpStream accepted = listener.accept()) {
                log.add(accepted.remote().getPort());
              }
            }
          });
      assertEquals(List.of(first.getLocalPort(), second.getLocalPort()), log);
    }
  }

  @Test
  void aConnectionThatNobodyTakesIsClosedWithTheListener() throws Exception {
    Coroutine<?> acceptor = begin(() -> assertThrows(Resumed.class, listener::accept));
    try (Socket dialled = dial()) {
      whenReady(acceptor, acceptor::resume);

      listener.close();
      loop.run(Mode.LOOP);

      assertEquals(-1, dialled.getInputStream().read());
    }
  }

  @Test
  void aResumedConnectLeavesNoSocket() throws Exception {
    int handles = loop.stats().handles();
    Coroutine<?> connecting =
        begin(() -> assertThrows(Resumed.class, () -> Tcp.connect(listener.local())));

    whenReady(connecting, connecting::resume);

    assertFalse(loop.run(Mode.LOOP));
    run(() -> listener.accept().close());
    assertEquals(handles, loop.stats().handles());
  }

  // ---- turns

  /// The writer whose turn it had just become leaves: it is the next one's.
  @Test
  void theTurnOfAResumedWriterPassesOn() throws Exception {
    List<Coroutine<?>> writers = new ArrayList<>();
    byte[] big = new byte[6 << 20];
    begin(
        () -> {
          stream.write(ByteBuffer.wrap(big));
          writers.get(0).resume("instead"); // it was handed the turn just now
          log.add("first");
        });
    writers.add(
        begin(
            () ->
                log.add(
                    assertThrows(Resumed.class, () -> stream.write(ByteBuffer.wrap(new byte[] {1})))
                        .values())));
    writers.add(
        begin(
            () -> {
              stream.write(ByteBuffer.wrap(new byte[] {2}));
              log.add("third");
            }));
    FutureTask<byte[]> drained =
        new FutureTask<>(() -> peer.getInputStream().readNBytes(big.length + 1));
    Thread.ofPlatform().start(drained);

    loop.run(Mode.LOOP);

    assertEquals(List.of(List.of("instead"), "first", "third"), log);
    assertEquals(2, drained.get()[big.length]);
  }

  // ---- results

  @Test
  void theResultOfAnAwaitedCoroutineStays() throws Exception {
    List<Coroutine<?>> woken = new ArrayList<>();
    Coroutine<String> awaited =
        loop.spawn(
            () -> {
              Coroutine.halt();
              Coroutine.spawn(() -> woken.getFirst().resume("instead")); // before the awaiter
              return "result";
            });
    loop.run(Mode.READY);
    woken.add(begin(() -> log.add(assertThrows(Resumed.class, awaited::await).values())));

    awaited.resume();
    loop.run(Mode.LOOP);

    run(() -> log.add(awaited.await()));
    assertEquals(List.of(List.of("instead"), "result"), log);
  }

  // ---- helpers

  private Socket dial() throws IOException {
    return new Socket(listener.local().getAddress(), listener.local().getPort());
  }

  private void send(String text) throws IOException {
    peer.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /// A coroutine that has begun and awaits.
  private Coroutine<?> begin(Action body) {
    Coroutine<?> begun = loop.spawn(body);
    loop.run(Mode.READY);
    assertEquals(Status.SUSPENDED, begun.status());
    return begun;
  }

  /// Runs the body to its end.
  private void run(Action body) {
    Coroutine<?> running = loop.spawn(body);
    while (!running.status().isEnded()) {
      loop.run(Mode.STEP);
    }
    assertEquals(Status.DONE, running.status());
  }

  /// Does it at the moment when the coroutine was woken and has not run: by one that was queued before
  /// the loop looked at its sockets.
  private void whenReady(Coroutine<?> woken, Action action) {
    Coroutine<?> acting =
        loop.spawn(
            () -> {
              assertEquals(Status.READY, woken.status());
              action.run();
            });
    loop.run(Mode.READY);
    assertEquals(Status.DONE, acting.status());
  }

  private String readText(int room) throws IOException {
    List<String> texts = new ArrayList<>();
    run(() -> texts.add(text(room)));
    return texts.getFirst();
  }

  private String text(int room) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(room);
    stream.read(buffer);
    return new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
  }
}
