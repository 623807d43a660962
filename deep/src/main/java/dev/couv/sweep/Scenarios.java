// SPDX-License-Identifier: Apache-2.0
package dev.couv.sweep;

import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.coro.TaskGroup;
import dev.couv.coro.Trigger;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.fs.Watch;
import dev.couv.info.Info;
import dev.couv.net.Local;
import dev.couv.net.LocalListener;
import dev.couv.net.LocalStream;
import dev.couv.net.Names;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.net.Udp;
import dev.couv.net.UdpSocket;
import dev.couv.pool.LoopPool;
import dev.couv.pool.Worker;
import dev.couv.pool.WorkerStatus;
import dev.couv.process.Child;
import dev.couv.process.Command;
import dev.couv.process.Stdio;
import dev.couv.signal.Signal;
import dev.couv.signal.SignalWatch;
import dev.couv.stream.ByteWriter;
import dev.couv.stream.Framed;
import dev.couv.stream.Framer;
import dev.couv.sync.Chan;
import dev.couv.sync.Endpoint;
import dev.couv.sync.Gate;
import dev.couv.sync.Mutex;
import dev.couv.sync.Permits;
import dev.couv.sync.Promise;
import dev.couv.sync.QueuedTopic;
import dev.couv.sync.Resources;
import dev.couv.sync.Topic;
import dev.couv.time.Ticker;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The await functions that are swept.
@SuppressWarnings("try") // what is opened here is closed by the scenario
final class Scenarios {
  private static final Duration LONG = Duration.ofHours(1);

  private Scenarios() {}

  static Map<String, Scenario.Maker> all() {
    Map<String, Scenario.Maker> all = new LinkedHashMap<>();
    waits(all);
    synchronisation(all);
    elsewhere(all);
    sockets(all);
    files(all);
    return all;
  }

  private static void waits(Map<String, Scenario.Maker> all) {
    all.put("Time.sleep", () -> of(() -> nothing(() -> Time.sleep(LONG))));
    all.put("Coroutine.halt", () -> of(Coroutine::halt).resumable());
    all.put("Coroutine.yield", () -> of(() -> Coroutine.yield("value")).resumable());
    all.put(
        "Ticker.next",
        () -> {
          Ticker ticker = Ticker.every(LONG);
          return of(ticker::next).shut(ticker::close);
        });
    all.put(
        "Coroutine.await",
        () -> {
          Coroutine<?> other = Coroutine.spawn(() -> Coroutine.halt());
          Coroutine.pause();
          return of(other::await).complete(other::resume).end(other::cancel);
        });
    all.put(
        "Trigger.await",
        () -> {
          Trigger<String> trigger = new Trigger<>();
          return of(trigger::await).complete(() -> trigger.trigger("value")).shut(trigger::close);
        });
    all.put(
        "Scope.join",
        () -> {
          Promise<String> promise = new Promise<>();
          return of(() -> {
                try (Scope scope = Scope.open()) {
                  scope.spawn(promise::await);
                  scope.join();
                }
                return "value";
              })
              .complete(() -> promise.complete("value"));
        });
    all.put(
        "TaskGroup.all",
        () -> {
          Promise<String> promise = new Promise<>();
          return of(() -> {
                try (TaskGroup<String> group = TaskGroup.open()) {
                  group.limit(1);
                  group.spawn(promise::await);
                  group.spawn(() -> "second");
                  return group.all();
                }
              })
              .complete(() -> promise.complete("value"));
        });
    all.put(
        "Await.stage",
        () -> {
          CompletableFuture<String> future = new CompletableFuture<>();
          return of(() -> Await.stage(future)).complete(() -> future.complete("value"));
        });
    all.put(
        "Await.select",
        () -> {
          Trigger<String> trigger = new Trigger<>();
          Promise<String> promise = new Promise<>();
          Chan<String> chan = Chan.create(0);
          return of(() -> Await.select(trigger, promise, chan.receiving()))
              .complete(() -> promise.complete("value"))
              .shut(trigger::close);
        });
    all.put(
        "Await.all",
        () -> {
          Promise<String> one = new Promise<>();
          Trigger<String> two = new Trigger<>();
          return of(() -> Await.all(one, two))
              .complete(
                  () -> {
                    one.complete("value");
                    two.trigger("value");
                  })
              .shut(two::close);
        });
    all.put(
        "Await.race",
        () -> {
          Promise<String> promise = new Promise<>();
          return of(() -> Await.race(promise::await, Coroutine::halt))
              .stubborn()
              .complete(() -> promise.complete("value"));
        });
    all.put(
        "Await.firstSuccess",
        () -> {
          Promise<String> promise = new Promise<>();
          return of(() -> Await.firstSuccess(Time.after(LONG), promise))
              .complete(() -> promise.complete("value"));
        });
    all.put(
        "Await.any, of awaitables",
        () -> {
          Promise<String> promise = new Promise<>();
          Awaitable<String> one = () -> promise.await();
          Awaitable<String> other = () -> String.valueOf(Coroutine.halt());
          return of(() -> Await.any(one, other)).complete(() -> promise.complete("value"));
        });
    all.put(
        "Loop.run, inside",
        () -> {
          Promise<String> promise = new Promise<>();
          return of(() -> Loop.run(promise::await))
              .stubborn()
              .complete(() -> promise.complete("value"));
        });
    all.put("Loop.awaitIdle", () -> of(() -> nothing(() -> Loop.awaitIdle())));
  }

  private static void synchronisation(Map<String, Scenario.Maker> all) {
    all.put(
        "Promise.await",
        () -> {
          Promise<String> promise = new Promise<>();
          return of(promise::await).complete(() -> promise.complete("value"));
        });
    all.put(
        "Chan.receive",
        () -> {
          Chan<String> chan = Chan.create(0);
          return of(chan::receive).complete(() -> chan.trySend("value")).shut(chan::close);
        });
    all.put(
        "Chan.send",
        () -> {
          Chan<String> chan = Chan.create(0);
          return of(() -> nothing(() -> chan.send("value")))
              .complete(chan::tryReceive)
              .shut(chan::close);
        });
    all.put(
        "Chan.receive, buffered",
        () -> {
          Chan<String> chan = Chan.create(1);
          return of(chan::receive).complete(() -> chan.trySend("value")).shut(chan::close);
        });
    all.put(
        "Chan.sync",
        () -> {
          Chan<String> chan = Chan.create(0);
          return of(() -> chan.sync(Endpoint.IN, null))
              .complete(() -> chan.trySend("value"))
              .shut(chan::close);
        });
    all.put(
        "Chan.named",
        () -> {
          Chan<String> chan = Chan.named("sweep");
          return of(chan::receive)
              .complete(() -> chan.trySend("value"))
              .shut(chan::close)
              .end(chan::close);
        });
    all.put(
        "Mutex.lock",
        () -> {
          Mutex mutex = new Mutex();
          Coroutine<?> owner =
              Coroutine.spawn(
                  () -> {
                    mutex.lock();
                    Coroutine.halt();
                    mutex.unlock();
                  });
          Coroutine.pause();
          return of(() -> {
                mutex.lock();
                return mutex.unlock();
              })
              .complete(owner::resume)
              .end(owner::cancel);
        });
    all.put(
        "Mutex.of",
        () -> {
          Coroutine<?> owner =
              Coroutine.spawn(
                  () -> {
                    Mutex.of("sweep").lock();
                    Coroutine.halt();
                    Mutex.of("sweep").unlock();
                  });
          Coroutine.pause();
          return of(() -> {
                Mutex.of("sweep").lock();
                return Mutex.of("sweep").unlock();
              })
              .complete(owner::resume)
              .end(owner::cancel);
        });
    all.put(
        "Permits.acquire",
        () -> {
          Permits permits = new Permits(0);
          return of(() -> nothing(permits::acquire)).complete(permits::release);
        });
    all.put(
        "Gate.await",
        () -> {
          Gate gate = new Gate();
          return of(gate::await).complete(gate::open);
        });
    all.put(
        "Topic.await",
        () -> of(() -> Topic.await("sweep")).complete(() -> Topic.emitAll("sweep", "value")));
    all.put(
        "QueuedTopic.await",
        () ->
            of(() -> QueuedTopic.await("sweep"))
                .complete(() -> QueuedTopic.emitOne("sweep", "value")));
    all.put(
        "Resources.acquire",
        () -> {
          Resources<String> resources = Resources.of(() -> "resource").max(1).open();
          var lease = resources.acquire();
          return of(() -> nothing(() -> resources.acquire().close()))
              .complete(lease::close)
              .shut(resources::close)
              .end(resources::close);
        });
  }

  private static void elsewhere(Map<String, Scenario.Maker> all) {
    all.put(
        "Loop.offload",
        () -> {
          CountDownLatch latch = new CountDownLatch(1);
          return of(() ->
                  Loop.offload(
                      () -> {
                        latch.await();
                        return "value";
                      }))
              .complete(latch::countDown)
              .end(latch::countDown);
        });
    all.put("Loop.offload, at once", () -> of(() -> Loop.offload(() -> "value")).itself());
    all.put(
        "Worker.resume",
        () -> {
          CountDownLatch latch = new CountDownLatch(1);
          Worker<String, String> worker =
              Worker.create(
                  input -> {
                    latch.await();
                    return "value";
                  });
          return of(() -> worker.resume("input"))
              .complete(latch::countDown)
              .once()
              .end(
                  () -> {
                    latch.countDown();
                    while (worker.status() == WorkerStatus.RUNNING) {
                      Time.sleep(Duration.ofMillis(1));
                    }
                    worker.close();
                  });
        });
    all.put(
        "LoopPool.submit",
        () -> {
          LoopPool pool = LoopPool.open(1);
          CompletableFuture<String> future = new CompletableFuture<>();
          return of(() -> pool.submit(() -> Await.stage(future)).await())
              .complete(() -> future.complete("value"))
              .end(
                  () -> {
                    future.complete("value");
                    pool.close();
                  });
        });
    all.put(
        "Signal.await",
        () ->
            of(() -> Signal.await(Signal.WINCH, Signal.URG))
                .edge(() -> Signal.send(ProcessHandle.current().pid(), Signal.URG)));
    all.put(
        "Signal.await one",
        () ->
            of(() -> Signal.await(Signal.URG))
                .edge(() -> Signal.send(ProcessHandle.current().pid(), Signal.URG)));
    all.put(
        "Signal.await of the VM",
        () ->
            of(() -> Signal.await(Signal.CONT))
                .edge(() -> Signal.send(ProcessHandle.current().pid(), Signal.CONT)));
    all.put(
        "SignalWatch.await",
        () -> {
          SignalWatch watch = Signal.watch(Signal.URG);
          return of(watch::await)
              .complete(() -> Signal.send(ProcessHandle.current().pid(), Signal.URG))
              .shut(watch::close)
              .end(watch::close);
        });
    all.put("Names.resolve", () -> of(() -> Names.resolve("localhost")).itself());
    all.put(
        "Names.reverse",
        () ->
            of(() -> Names.reverse(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80)))
                .itself());
    all.put(
        "Info.random", () -> of(() -> nothing(() -> Info.random(ByteBuffer.allocate(8)))).itself());
    all.put("Command.output", () -> of(() -> Command.of("echo", "value").output()).itself());
    all.put(
        "Child.await",
        () -> {
          Child child = Command.of("cat").stdin(Stdio.pipe()).start();
          return of(child::await).complete(child::kill).end(child::close);
        });
  }

  /// Connections that are gone when they are accepted.
  private static void resetSome(InetSocketAddress address) throws IOException {
    for (int i = 0; i < 8; i++) {
      try (Socket socket = new Socket()) {
        socket.setSoLinger(true, 0);
        socket.connect(address);
      }
    }
  }

  private static void sockets(Map<String, Scenario.Maker> all) {
    InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    all.put(
        "TcpListener.accept",
        () -> {
          TcpListener listener = Tcp.listen(anywhere);
          InetSocketAddress local = listener.local();
          return of(() -> {
                listener.accept().close();
                return "value";
              })
              .complete(() -> Tcp.connect(local).close())
              .shut(listener::close)
              .end(listener::close);
        });
    all.put(
        "TcpListener.accept, reset",
        () -> {
          TcpListener listener = Tcp.listen(anywhere);
          InetSocketAddress local = listener.local();
          return of(() -> nothing(() -> listener.accept().close()))
              .complete(() -> resetSome(local))
              .shut(listener::close)
              .end(listener::close);
        });
    all.put(
        "Tcp.connect",
        () -> {
          TcpListener listener = Tcp.listen(anywhere);
          InetSocketAddress local = listener.local();
          return of(() -> {
                Tcp.connect(local).close();
                return "value";
              })
              .itself()
              .end(listener::close);
        });
    all.put(
        "Tcp.connect, by name",
        () -> {
          TcpListener listener = Tcp.listen(anywhere);
          int port = listener.local().getPort();
          return of(() -> nothing(() -> Tcp.connect("localhost", port).close()))
              .itself()
              .end(listener::close);
        });
    all.put(
        "LocalListener.accept",
        () -> {
          Path directory = Fs.makeTempDirNow("sweep");
          LocalListener listener = Local.listen(directory.resolve("socket"));
          return of(() -> nothing(() -> listener.accept().close()))
              .complete(() -> Local.connect(directory.resolve("socket")).close())
              .shut(listener::close)
              .end(
                  () -> {
                    listener.close();
                    Fs.removeTreeNow(directory);
                  });
        });
    all.put(
        "TcpStream.shutdown",
        () -> {
          Connected at = Connected.make(anywhere);
          return of(() -> nothing(at.near::shutdown)).itself().once().end(at::close);
        });
    all.put(
        "TcpStream.read",
        () -> {
          Connected at = Connected.make(anywhere);
          return of(at.near::read)
              .complete(() -> at.far.tryWrite(ByteBuffer.wrap(new byte[1])))
              .shut(at.near::close)
              .end(at::close);
        });
    all.put(
        "Framed.read",
        () -> {
          Connected at = Connected.make(anywhere);
          Framed<byte[]> frames = Framed.open(at.near, Framer.lengthPrefixed(2));
          at.far.tryWrite(ByteBuffer.wrap(new byte[1]));
          return of(frames::read)
              .complete(() -> at.far.tryWrite(ByteBuffer.wrap(new byte[] {1, 2})))
              .shut(at.near::close)
              .end(at::close)
              .once();
        });
    all.put(
        "ByteWriter.flush",
        () -> {
          Connected at = Connected.narrow(anywhere);
          ByteWriter out = ByteWriter.of(at.near);
          int filled = 0;
          for (int count; (count = at.near.tryWrite(ByteBuffer.allocate(1 << 16))) > 0; ) {
            filled += count;
          }
          ByteBuffer whole = ByteBuffer.allocate(filled + 1);
          return of(() ->
                  nothing(
                      () -> {
                        out.write(new byte[1]);
                        out.flush();
                      }))
              .complete(() -> at.far.readFully(whole))
              .shut(at.near::close)
              .end(at::close)
              .once();
        });
    all.put(
        "TcpStream.write",
        () -> {
          Connected at = Connected.narrow(anywhere);
          ByteBuffer much = ByteBuffer.allocate(8 * Connected.NARROW);
          return of(() -> nothing(() -> at.near.write(much.duplicate())))
              // No more than that: it is over when it has done what it does.
              .complete(() -> at.far.readFully(ByteBuffer.allocate(much.capacity())))
              .shut(at.near::close)
              .end(at::close)
              .once();
        });
    all.put(
        "LocalStream.receive",
        () -> {
          var pair = LocalStream.pair();
          return of(() -> pair.first().receive(ByteBuffer.allocate(1)))
              .complete(() -> pair.second().tryWrite(ByteBuffer.wrap(new byte[1])))
              .shut(pair.first()::close)
              .end(
                  () -> {
                    pair.first().close();
                    pair.second().close();
                  });
        });
    all.put(
        "UdpSocket.receive",
        () -> {
          UdpSocket socket = Udp.bind(anywhere);
          UdpSocket other = Udp.bind(anywhere);
          InetSocketAddress to = socket.local();
          return of(() -> socket.receive(ByteBuffer.allocate(1)))
              .complete(() -> other.send(ByteBuffer.wrap(new byte[1]), to))
              .shut(socket::close)
              .end(
                  () -> {
                    socket.close();
                    other.close();
                  });
        });
  }

  private static void files(Map<String, Scenario.Maker> all) {
    all.put(
        "OpenFile.read",
        () -> {
          Path path = Fs.makeTempFileNow("sweep");
          Fs.writeStringNow(path, "value");
          OpenFile file = Fs.open(path);
          return of(() -> file.read(ByteBuffer.allocate(5), 0))
              .itself()
              .shut(file::close)
              .end(
                  () -> {
                    file.close();
                    Fs.removeNow(path);
                  });
        });
    all.put(
        "Fs.readString",
        () -> {
          Path path = Fs.makeTempFileNow("sweep");
          Fs.writeStringNow(path, "value");
          return of(() -> Fs.readString(path)).itself().end(() -> Fs.removeNow(path));
        });
    all.put(
        "Fs.list",
        () -> {
          Path directory = Fs.makeTempDirNow("sweep");
          Fs.writeStringNow(directory.resolve("file"), "value");
          return of(() -> {
                try (var listing = Fs.list(directory)) {
                  return listing.next();
                }
              })
              .itself()
              .end(() -> Fs.removeTreeNow(directory));
        });
    all.put(
        "Fs.copy",
        () -> {
          Path directory = Fs.makeTempDirNow("sweep");
          Path from = directory.resolve("from");
          Fs.writeStringNow(from, "value");
          return of(() -> {
                Path to = directory.resolve("to" + System.nanoTime());
                Fs.copy(from, to);
                return "value";
              })
              .itself()
              .end(() -> Fs.removeTreeNow(directory));
        });
    all.put(
        "Fs.open",
        () -> {
          Path path = Fs.makeTempFileNow("sweep");
          return of(() -> {
                Fs.open(path, StandardOpenOption.WRITE).close();
                return "value";
              })
              .itself()
              .end(() -> Fs.removeNow(path));
        });
    all.put(
        "OpenFile.sendTo",
        () -> {
          Path path = Fs.makeTempFileNow("sweep");
          Fs.writeStringNow(path, "value");
          OpenFile file = Fs.open(path);
          Connected at = Connected.make(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
          return of(() -> file.sendTo(at.near, 0, 5))
              .itself()
              .end(
                  () -> {
                    at.close();
                    file.close();
                    Fs.removeNow(path);
                  });
        });
    all.put(
        "Watch.next",
        () -> {
          Path directory = Fs.makeTempDirNow("sweep");
          Watch watch = Watch.path(directory);
          return of(watch::next)
              .complete(() -> Fs.writeStringNow(directory.resolve("file"), "value"))
              .shut(watch::close)
              .end(
                  () -> {
                    watch.close();
                    Fs.removeTreeNow(directory);
                  });
        });
  }

  /// Two ends of a connection.
  private record Connected(TcpStream near, TcpStream far) {
    /// What the system keeps for who writes into a narrow one.
    static final int NARROW = 1 << 18;

    /// One that is full soon, and so takes hardly any time in any of hundreds of runs. Only who writes is limited: where a
    /// reader is, the system drops packets that do not fit and sends them again after a while.
    static Connected narrow(InetSocketAddress anywhere) throws Exception {
      Connected made = make(anywhere);
      made.near.sendBuffer(NARROW);
      return made;
    }

    static Connected make(InetSocketAddress anywhere) throws Exception {
      try (TcpListener listener = Tcp.listen(anywhere)) {
        TcpStream near = Tcp.connect(listener.local());
        return new Connected(near, listener.accept());
      }
    }

    void close() {
      near.close();
      far.close();
    }
  }

  private static @Nullable Object nothing(Plan.Step step) throws Exception {
    step.run();
    return "value";
  }

  private static Plan of(Plan.Wait wait) {
    return new Plan(wait);
  }
}
