// SPDX-License-Identifier: Apache-2.0
package dev.couv.walk;

import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.fs.Fs;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.process.Command;
import dev.couv.sync.Chan;
import dev.couv.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;

/// The walks of ARCHITECTURE.md, each made after it was made before: what is loaded or opened once does not count.
public final class WalkRun {
  private WalkRun() {}

  public static void main(String[] args) throws Exception {
    read();
    spawnAwaitCancel();
    Loop.run(
        () -> {
          Command command = Command.of("/bin/echo", "hello");
          command.output();
          watched("Command.output", command::output);
        });
    send();
    copy();
  }

  private static void watched(String name, Body<?> body) throws Exception {
    Visits.take();
    Visits.watch(true);
    try {
      body.run();
    } finally {
      Visits.watch(false);
    }
    Set<String> seen = Visits.take();
    Map<String, Set<String>> rooms = new TreeMap<>();
    for (String type : seen) {
      int end = type.lastIndexOf('.');
      rooms
          .computeIfAbsent(type.substring("dev.couv.".length(), end), room -> new TreeSet<>())
          .add(type.substring(end + 1));
    }
    System.out.println(name + ": " + seen.size());
    rooms.forEach(
        (room, types) -> System.out.println("  " + room + " " + types.size() + ": " + types));
  }

  private static void read() throws Exception {
    Loop.run(
        () -> {
          try (TcpListener listener =
                  Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
              TcpStream client = Tcp.connect(listener.local());
              TcpStream server = listener.accept()) {
            ByteBuffer into = ByteBuffer.allocateDirect(64);
            for (int i = 0; i < 3; i++) {
              Coroutine.spawn(() -> client.write("x"));
              server.read(into.clear());
            }
            Coroutine.spawn(
                () -> {
                  boolean before = Visits.watch(false); // only the reading counts
                  client.write("x");
                  Visits.watch(before);
                });
            watched("ByteStream.read", () -> server.read(into.clear()));
          }
        });
  }

  private static void spawnAwaitCancel() throws Exception {
    Loop.run(
        () -> {
          cancelOne();
          watched("spawn, await, cancel", WalkRun::cancelOne);
        });
  }

  private static Object cancelOne() throws Exception {
    Coroutine<?> halted = Coroutine.spawn(() -> Coroutine.halt());
    Coroutine.pause();
    halted.cancel();
    try {
      return halted.await();
    } catch (CancellationException cancelled) {
      return cancelled;
    }
  }

  private static void send() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Thread receiver =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Loop.run(() -> chan.receive() + chan.receive());
                  } catch (Exception broken) {
                    throw new AssertionError(broken);
                  }
                });
    Loop.run(
        () -> {
          chan.send(1);
          Time.sleep(Duration.ofMillis(300)); // the other waits by then
          watched(
              "Chan.send between loops",
              () -> {
                chan.send(2);
                return chan;
              });
        });
    receiver.join();
  }

  private static void copy() throws Exception {
    Path directory = Files.createTempDirectory("walks");
    Path from = Files.writeString(directory.resolve("from"), "hello");
    Loop.run(
        () -> {
          Fs.copy(from, directory.resolve("first"));
          watched(
              "Fs.copy",
              () -> {
                Fs.copy(from, directory.resolve("second"));
                return from;
              });
          Fs.removeTree(directory);
        });
  }
}
