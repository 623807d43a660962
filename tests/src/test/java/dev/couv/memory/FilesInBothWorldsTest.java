// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.fs.ChangeKind;
import dev.couv.fs.CopyOptions;
import dev.couv.fs.DirEntry;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.fs.PathChange;
import dev.couv.fs.Watch;
import dev.couv.fs.WatchOptions;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same calls on files in the host's world and in one in memory: same results, same exceptions, same order.
@SuppressWarnings("try") // what is closed early is told
final class FilesInBothWorldsTest {
  @TempDir Path temporary;

  private void same(BothWorlds.Script script) throws Exception {
    BothWorlds.same(
        temporary,
        body -> Loop.run(LoopOptions.DEFAULT.withWorld(MemoryWorld.alone(1)), body),
        script);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String read(OpenFile file, int count, long at) throws Exception {
    ByteBuffer into = ByteBuffer.allocate(count);
    int got = file.read(into, at);
    return got + ":" + new String(into.array(), 0, Math.max(0, got), StandardCharsets.UTF_8);
  }

  private static TreeSet<String> names(Path dir) throws Exception {
    TreeSet<String> names = new TreeSet<>();
    try (var listing = Fs.list(dir)) {
      for (DirEntry each : listing) {
        names.add(each.name() + " " + each.type());
      }
    }
    return names;
  }

  @Test
  void openingCreatingAndMissing() throws Exception {
    same(
        (dir, told) -> {
          Path file = dir.resolve("file");
          List<OpenOption[]> ways =
              List.of(
                  new OpenOption[] {READ},
                  new OpenOption[] {WRITE},
                  new OpenOption[] {WRITE, CREATE_NEW},
                  new OpenOption[] {WRITE, CREATE_NEW},
                  new OpenOption[] {READ, WRITE, CREATE},
                  new OpenOption[] {WRITE, TRUNCATE_EXISTING},
                  new OpenOption[] {APPEND},
                  new OpenOption[] {APPEND, TRUNCATE_EXISTING},
                  new OpenOption[] {READ, APPEND});
          for (OpenOption[] way : ways) {
            told.get(
                List.of(way).toString(),
                () -> {
                  try (OpenFile opened = Fs.open(file, way)) {
                    opened.write(bytes("text"), 0);
                    return opened.size() + " " + read(opened, 3, 1);
                  }
                });
          }
          told.get("of a directory", () -> Fs.open(dir, WRITE));
          told.get("below a file", () -> Fs.open(file.resolve("below"), CREATE, WRITE));
          told.get("nowhere", () -> Fs.readString(dir.resolve("no/where")));
          told.get("long name", () -> Fs.readString(dir.resolve("x".repeat(300))));
          told.get("a directory's bytes", () -> Fs.readBytes(dir).length);
          told.did("of a directory's place", () -> Fs.writeString(dir, "x"));
          told.get("regular", () -> Fs.openRegular(dir));
        });
  }

  @Test
  void bytesAtTheirPlaces() throws Exception {
    same(
        (dir, told) -> {
          Path file = dir.resolve("file");
          try (OpenFile open = Fs.open(file, CREATE, READ, WRITE)) {
            told.did("write", () -> open.write(bytes("hello"), 0));
            told.did("write behind the end", () -> open.write(bytes("x"), 10));
            told.get("size", open::size);
            told.get("hole", () -> Fs.readString(file).replace('\0', '.'));
            told.get("at the end", () -> read(open, 5, 11));
            told.get("over the end", () -> read(open, 5, 9));
            told.did("shorter", () -> open.resize(3));
            told.get("after that", () -> Fs.readString(file));
            told.did("longer", () -> open.resize(6));
            told.get("after that", () -> Fs.readString(file).replace('\0', '.'));
            told.did("negative", () -> open.resize(-1));
            told.did("several", () -> open.write(bytes("a"), bytes("bc"), bytes("")));
            told.did("flush", open::flush);
            told.did("flush data", open::flushData);
            told.get("next bytes", () -> open.read(ByteBuffer.allocate(10)));
            open.close();
            told.get("read closed", () -> open.read(ByteBuffer.allocate(1)));
            told.did("flush closed", open::flush);
          }
          try (OpenFile appending = Fs.open(file, APPEND)) {
            appending.write(bytes("end"));
            appending.write(bytes("last"));
          }
          told.get("appended", () -> Fs.readString(file).replace('\0', '.'));
          told.did("string", () -> Fs.writeString(file, "ä\n"));
          told.get("bytes", () -> Fs.readBytes(file).length);
          told.get(
              "lines",
              () -> {
                List<String> lines = new ArrayList<>();
                try (var all = Fs.lines(file)) {
                  all.forEach(lines::add);
                }
                return lines;
              });
        });
  }

  @Test
  void directories() throws Exception {
    same(
        (dir, told) -> {
          Path sub = dir.resolve("sub");
          told.did("make", () -> Fs.makeDir(sub));
          told.did("again", () -> Fs.makeDir(sub));
          told.did("all that are there", () -> Fs.makeDirs(sub));
          told.did("several", () -> Fs.makeDirs(sub.resolve("a/b/c")));
          told.did("one too many", () -> Fs.makeDir(sub.resolve("x/y")));
          told.did("file", () -> Fs.writeString(sub.resolve("file"), "x"));
          told.did("below a file", () -> Fs.makeDirs(sub.resolve("file/d")));
          told.get("names", () -> names(sub));
          told.get("names of a file", () -> names(sub.resolve("file")));
          told.get("names of nothing", () -> names(sub.resolve("nothing")));
          told.get("links", () -> Fs.info(sub).links());
          told.did("remove as a file", () -> Fs.remove(sub));
          told.did("remove while there is something", () -> Fs.removeDir(sub));
          told.did("remove a file as a directory", () -> Fs.removeDir(sub.resolve("file")));
          told.did("remove nothing", () -> Fs.remove(sub.resolve("nothing")));
          told.did("remove no directory", () -> Fs.removeDir(sub.resolve("nothing")));
          told.did("remove all", () -> Fs.removeTree(sub));
          told.get("is there", () -> Fs.exists(sub));
          told.did("remove all of nothing", () -> Fs.removeTree(sub));
          told.get("temporary", () -> Fs.makeTempFile(dir, "t").getParent());
        });
  }

  @Test
  void moving() throws Exception {
    same(
        (dir, told) -> {
          Path one = dir.resolve("one");
          Path two = dir.resolve("two");
          Path sub = dir.resolve("sub");
          Path full = dir.resolve("full");
          Fs.writeString(one, "1");
          Fs.writeString(two, "2");
          Fs.makeDirs(sub);
          Fs.makeDirs(full.resolve("x"));
          told.did("over a file", () -> Fs.move(one, two));
          told.get("which is", () -> Fs.readString(two));
          told.did("what is gone", () -> Fs.move(one, two));
          told.did("to itself", () -> Fs.move(two, two));
          told.did("a file over a directory", () -> Fs.move(two, sub));
          told.did("a directory over a file", () -> Fs.move(sub, two));
          told.did("over a directory that is full", () -> Fs.move(sub, full));
          told.did("over an empty one", () -> Fs.move(full, sub));
          told.did("into itself", () -> Fs.move(sub, sub.resolve("below")));
          told.did("to nowhere", () -> Fs.move(sub, dir.resolve("no/where")));
          told.get("names", () -> names(dir));
        });
  }

  @Test
  void links() throws Exception {
    same(
        (dir, told) -> {
          Path file = dir.resolve("file");
          Path hard = dir.resolve("hard");
          Path soft = dir.resolve("soft");
          Path loop = dir.resolve("loop");
          Path dangling = dir.resolve("dangling");
          Path sub = dir.resolve("sub");
          Fs.writeString(file, "x");
          Fs.makeDir(sub);
          told.did("hard", () -> Fs.link(file, hard));
          told.get("how many", () -> Fs.info(file).links());
          told.did("hard again", () -> Fs.link(file, hard));
          told.did("hard of a directory", () -> Fs.link(sub, dir.resolve("subs")));
          told.did("hard of nothing", () -> Fs.link(dir.resolve("no"), dir.resolve("nos")));
          told.did("soft", () -> Fs.symlink(Path.of("file"), soft));
          told.did("soft again", () -> Fs.symlink(Path.of("file"), soft));
          told.did("dangling", () -> Fs.symlink(Path.of("nothing"), dangling));
          told.did("loop", () -> Fs.symlink(loop, loop));
          told.did("of a directory", () -> Fs.symlink(sub, dir.resolve("way")));
          told.get("text", () -> Fs.readLink(soft));
          told.get("text of a file", () -> Fs.readLink(file));
          told.get("through", () -> Fs.readString(soft));
          told.get("through nothing", () -> Fs.readString(dangling));
          told.get("in a loop", () -> Fs.readString(loop));
          told.get("type", () -> Fs.info(soft).type() + " " + Fs.infoOfLink(soft).type());
          told.get("length", () -> Fs.infoOfLink(soft).size());
          told.get("real", () -> Fs.realPath(soft).equals(Fs.realPath(file)));
          told.get("real loop", () -> Fs.realPath(loop));
          told.get("exists", () -> Fs.exists(dangling) + " " + Fs.exists(soft));
          told.did("written through", () -> Fs.writeString(dangling, "now"));
          told.get("which made", () -> Fs.readString(dir.resolve("nothing")));
          told.did("below", () -> Fs.writeString(dir.resolve("way/file"), "y"));
          told.get("there", () -> names(sub));
          told.did("removed", () -> Fs.remove(soft));
          told.get("what it led to", () -> Fs.readString(file));
          told.did("all removed", () -> Fs.removeTree(dir.resolve("way")));
          told.get("what that led to", () -> names(sub));
        });
  }

  @Test
  void attributes() throws Exception {
    same(
        (dir, told) -> {
          Path file = dir.resolve("file");
          Fs.writeString(file, "x");
          Instant then = Instant.parse("2020-02-02T02:02:02.123456789Z");
          told.did("mode", () -> Fs.chmod(file, 0640));
          told.get("which is", () -> Integer.toOctalString(Fs.info(file).mode()));
          told.did("times", () -> Fs.touch(file, then, then.plusSeconds(1)));
          told.get("which are", () -> Fs.info(file).accessed() + " " + Fs.info(file).modified());
          told.get("access", () -> Fs.access(file) + " " + Fs.access(dir.resolve("no")));
          told.get("info of nothing", () -> Fs.info(dir.resolve("no")));
          told.get("or null", () -> Fs.infoOrNull(dir.resolve("no")));
          told.did("mode of nothing", () -> Fs.chmod(dir.resolve("no"), 0600));
          told.did("times of nothing", () -> Fs.touch(dir.resolve("no"), then, then));
        });
  }

  @Test
  void copying() throws Exception {
    same(
        (dir, told) -> {
          Path from = dir.resolve("from");
          Path to = dir.resolve("to");
          Fs.writeBytes(from, new byte[100_000]);
          Fs.chmod(from, 0700);
          told.did("copy", () -> Fs.copy(from, to));
          told.get("size", () -> Fs.info(to).size());
          told.get("mode", () -> Integer.toOctalString(Fs.info(to).mode()));
          told.did("again", () -> Fs.copy(from, to));
          told.did(
              "not over it", () -> Fs.copy(from, to, CopyOptions.DEFAULT.withOverwrite(false)));
          told.did("onto itself", () -> Fs.copy(from, from));
          told.did("nothing", () -> Fs.copy(dir.resolve("no"), to));
          told.did("to nowhere", () -> Fs.copy(from, dir.resolve("no/where")));
          told.did("over a directory", () -> Fs.copy(from, dir));
        });
  }

  @Test
  void watching() throws Exception {
    same(
        (dir, told) -> {
          Path file = dir.resolve("file");
          Path other = dir.resolve("other");
          Path last = dir.resolve("last");
          try (Watch watch = Watch.path(dir)) {
            Fs.writeString(file, "text");
            Fs.chmod(file, 0600);
            Fs.writeString(file, "more", APPEND);
            Fs.move(file, other);
            Fs.makeDir(dir.resolve("sub"));
            Fs.remove(other);
            Fs.makeDir(last);
            for (PathChange each = watch.next(); ; each = watch.next()) {
              PathChange seen = each;
              told.get("seen", () -> seen.path() + " " + seen.kind());
              if (seen.equals(new PathChange(last, ChangeKind.CREATED))) {
                break;
              }
            }
          }
          try (Watch watch = Watch.path(dir, WatchOptions.DEFAULT.withRecursive(true))) {
            Fs.writeString(dir.resolve("sub/below"), "");
            told.get("below", () -> watch.next().path());
            Fs.removeTree(dir.resolve("sub"));
          }
          told.get("nothing", () -> Watch.path(dir.resolve("no")));
          Watch closed = Watch.path(dir);
          Coroutine<PathChange> waiting = Coroutine.spawn(closed::next);
          Coroutine.pause();
          closed.close();
          told.get("closed", waiting::await);
          told.get("closed before", closed::next);
        });
  }

  @Test
  void sending() throws Exception {
    same(
        (dir, told) -> {
          Path file = dir.resolve("file");
          Fs.writeString(file, "0123456789".repeat(20_000));
          try (TcpListener listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
              TcpStream sender = Tcp.connect(listener.local());
              TcpStream receiver = listener.accept();
              OpenFile open = Fs.open(file, READ)) {
            Coroutine<byte[]> all = Coroutine.spawn(() -> receiver.readAll(1 << 20));
            told.get("all", () -> open.sendTo(sender, 0, 200_000));
            told.get("a part", () -> open.sendTo(sender, 3, 4));
            told.get("over the end", () -> open.sendTo(sender, 199_998, 100));
            told.get("behind the end", () -> open.sendTo(sender, 300_000, 5));
            told.get("nothing", () -> open.sendTo(sender, 0, 0));
            told.get("negative", () -> open.sendTo(sender, -1, 5));
            sender.shutdown();
            byte[] came = all.await();
            told.get("came", () -> came.length);
            told.get(
                "last of it",
                () -> new String(came, 199_999, came.length - 199_999, StandardCharsets.UTF_8));
            sender.close();
            told.get("to a closed one", () -> open.sendTo(sender, 0, 1));
          }
        });
  }
}
