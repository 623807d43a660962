// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Is loaded into a running program by whoever wants to look into it, and connects back to him. What it then does is done by
/// the probe, which has a class loader of its own, and goes when the connection does; only this class and [ProbeLoader]
/// stay. So they are kept small, and say nothing that a later version could want to say differently.
public final class Agent {
  /// The first word of its argument; the next are the jar and the socket, with line ends between them.
  public static final String VERSION = "1";

  /// What it says first, if all is well.
  public static final String WELCOME = "welcome";

  /// What it says where there is no Couv.
  public static final String NO_COUV = "!no-couv";

  private static final List<String> HIDDEN = List.of("dev.couv.loop", "dev.couv.strand");

  private Agent() {}

  /// Called by the VM, on its own thread. What fails is told to the asker, and not thrown: the VM would write it to
  /// the program's error output.
  public static void agentmain(String argument, Instrumentation vm) throws IOException {
    String[] words = argument.split("\n", -1);
    SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      socket.connect(UnixDomainSocketAddress.of(words[2]));
    } catch (IOException nobodyThere) {
      socket.close();
      return;
    }
    try {
      begin(words[1], socket, vm);
    } catch (Throwable failed) {
      try (socket) {
        tell(socket, "!" + failed);
      }
    }
  }

  private static void begin(String jar, SocketChannel socket, Instrumentation vm) throws Exception {
    Class<?> loop = find(vm);
    if (loop == null) {
      try (socket) {
        tell(socket, NO_COUV);
      }
      return;
    }
    ProbeLoader loader = new ProbeLoader(jar, loop.getClassLoader());
    try {
      show(vm, loop.getModule(), loader.getUnnamedModule());
      Runnable session =
          (Runnable)
              loader
                  .loadClass("dev.couv.inspect.probe.Session")
                  .getConstructor(SocketChannel.class, Closeable.class)
                  .newInstance(socket, loader);
      tell(socket, WELCOME);
      // The name begins as those of the runtime do: a thread that looks is nobody whom a loop would
      // wait for.
      Thread.ofPlatform().daemon().name("couv-inspect").start(session);
    } catch (Throwable failed) {
      loader.close();
      throw failed;
    }
  }

  private static void tell(SocketChannel socket, String words) throws IOException {
    byte[] bytes = words.getBytes(UTF_8);
    ByteBuffer answer =
        ByteBuffer.allocate(4 + bytes.length).putInt(bytes.length).put(bytes).flip();
    while (answer.hasRemaining()) {
      socket.write(answer);
    }
  }

  /// Couv, by whatever class loader the program has it.
  private static @Nullable Class<?> find(Instrumentation vm) {
    for (Class<?> loaded : vm.getAllLoadedClasses()) {
      if (loaded.getName().equals("dev.couv.coro.Loop")) {
        return loaded;
      }
    }
    return null;
  }

  /// The probe sees what the module does not export.
  private static void show(Instrumentation vm, Module couv, Module probe) {
    if (couv.isNamed()) {
      Map<String, Set<Module>> exports = new HashMap<>();
      HIDDEN.forEach(name -> exports.put(name, Set.of(probe)));
      vm.redefineModule(couv, Set.of(), exports, Map.of(), Set.of(), Map.of());
    }
  }
}
