// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.fs.Fs;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Twenty lookups whose resolver waits at a gate, and file work meanwhile. In a JVM of its own, from
/// [NamesPoolTest].
final class GatedLookupsProgram {
  private GatedLookupsProgram() {}

  public static void main(String[] arguments) throws Exception {
    Path gate = Path.of(System.getenv("GATE"));
    Path entered = Path.of(System.getenv("GATE") + ".entered");
    int threads = Integer.getInteger("threads");
    Files.createFile(entered);
    if (threads != 4) {
      Loop.poolThreads(threads);
    }
    Loop.run(
        () -> {
          List<Coroutine<List<InetSocketAddress>>> lookups = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            lookups.add(Coroutine.spawn(() -> Names.resolve("127.0.0.1", "http")));
          }
          while (Files.size(entered) < threads / 2) {
            Coroutine.pause();
          }
          for (int i = 0; i < 20; i++) {
            Fs.readString(Path.of("/etc/hosts"));
          }
          System.out.println("files were read while " + Files.size(entered) + " lookups ran");
          Files.createFile(gate);
          for (Coroutine<List<InetSocketAddress>> lookup : lookups) {
            lookup.await();
          }
          System.out.println(Files.size(entered) + " lookups ran");
        });
  }
}
