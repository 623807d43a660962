// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.couv.inspect.agent.Agent;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/// The way into another process: its JVM is asked to load the [Agent], which connects back to a socket of ours. That is in
/// a directory that nobody else may enter, and gone as soon as the agent has come.
public final class Attachment {
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private Attachment() {}

  /// Asks the program in.
  ///
  /// @throws Refusal if it cannot be asked, for a reason that its user can do something about
  public static Link open(Program program) throws Refusal {
    long pid = program.pid();
    try {
      Path directory = Files.createTempDirectory("couv-inspect");
      Path socket = directory.resolve("s");
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(socket));
        admit(pid, directory, socket);
        load(pid, socket);
        return greeted(pid, accept(pid, server));
      } finally {
        Files.deleteIfExists(socket);
        Files.delete(directory);
      }
    } catch (IOException failed) {
      throw new Refusal("could not look into process " + pid + ": " + failed.getMessage(), failed);
    }
  }

  /// Where this is root and the program another's, that one must be let in.
  private static void admit(long pid, Path directory, Path socket) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    if (Files.exists(process)
        && !Files.getOwner(process).equals(Files.getOwner(directory))
        && System.getProperty("user.name").equals("root")) {
      Files.setOwner(socket, Files.getOwner(process));
      Files.setOwner(directory, Files.getOwner(process));
    }
  }

  private static void load(long pid, Path socket) throws Refusal, IOException {
    String jar = jar().toString();
    VirtualMachine vm;
    try {
      vm = VirtualMachine.attach(Long.toString(pid));
    } catch (AttachNotSupportedException | IOException refused) {
      throw new Refusal(
          "process %d does not let anybody in: %s".formatted(pid, reason(pid, refused)), refused);
    }
    try {
      vm.loadAgent(jar, String.join("\n", Agent.VERSION, jar, socket.toString()));
    } catch (AgentLoadException | AgentInitializationException refused) {
      throw new Refusal(
          "process %d loads no agent: it needs the module java.instrument, and not -XX:-EnableDynamicAgentLoading (%s)"
              .formatted(pid, refused.getMessage()),
          refused);
    } finally {
      vm.detach();
    }
  }

  private static String reason(long pid, Exception refused) {
    if (ProcessHandle.of(pid).isEmpty()) {
      return "it has ended";
    }
    String words = String.valueOf(refused.getMessage());
    return words.contains("doesn't respond") || words.contains("not responding")
        ? "it was started with -XX:+DisableAttachMechanism, or is stopped"
        : words;
  }

  private static Path jar() throws Refusal {
    try {
      Path jar = Path.of(Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isRegularFile(jar)) {
        return jar.toRealPath();
      }
      throw new Refusal("what is loaded into a program is a jar, and " + jar + " is none");
    } catch (URISyntaxException | IOException e) {
      throw new Refusal("the agent is not to be found: " + e.getMessage(), e);
    }
  }

  private static SocketLink accept(long pid, ServerSocketChannel server)
      throws IOException, Refusal {
    server.configureBlocking(false);
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - end < 0) {
      SocketChannel agent = server.accept();
      if (agent != null) {
        return new SocketLink(agent);
      }
      LockSupport.parkNanos(1_000_000);
    }
    throw new Refusal(
        "process "
            + pid
            + " was asked, and has not answered. Does it see another /tmp, in a container?");
  }

  private static SocketLink greeted(long pid, SocketLink link) throws IOException, Refusal {
    String greeting = link.hear();
    if (greeting.equals(Agent.WELCOME)) {
      return link;
    }
    link.close();
    throw new Refusal(
        greeting.equals(Agent.NO_COUV)
            ? "process " + pid + " is a Java program, but not one on Couv"
            : "process %d cannot be looked into: %s".formatted(pid, greeting.substring(1)));
  }
}
