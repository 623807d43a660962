// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.coro.Loop;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Looks in class files for calls of what is not simulated, and so not the same in the next run: clocks, chance, threads, sockets
/// and files of the JDK, and collections without an order.
///
/// It looks at the classes of the project, which a class and those it refers to are: neither those in jars nor those of Couv.
final class OutsideCalls {
  /// As `java/lang/System.nanoTime()J`, from the beginning.
  private static final Pattern OUTSIDE =
      Pattern.compile(
          String.join(
              "|",
              // clocks
              "java/lang/System\\.(nanoTime|currentTimeMillis|identityHashCode)\\(.*",
              "java/time/\\w+\\.now\\(\\).*",
              "java/time/Clock\\.system\\w*\\(.*",
              "java/util/Date\\.<init>\\(\\)V",
              // chance
              "java/lang/Math\\.random\\(.*",
              "java/util/UUID\\.randomUUID\\(.*",
              "java/util/(Random|SplittableRandom)\\.<init>\\(\\)V",
              "java/util/concurrent/ThreadLocalRandom\\..*",
              "java/util/Collections\\.shuffle\\(Ljava/util/List;\\)V",
              "java/security/SecureRandom\\.(<init>|getInstance\\w*)\\(.*",
              // collections whose order is another one in the next process
              "java/util/(Set|Map)\\.(of|copyOf|ofEntries)\\(.*",
              "java/util/IdentityHashMap\\.<init>\\(.*",
              // threads
              "java/lang/Thread\\.(start|sleep|ofPlatform|ofVirtual|startVirtualThread)\\(.*",
              "java/util/concurrent/Executors\\.new.*",
              "java/util/concurrent/CompletableFuture\\.\\w+Async\\(.*",
              "java/util/concurrent/(ForkJoinPool|ThreadPoolExecutor)\\.<init>\\(.*",
              "java/util/Timer\\.<init>\\(.*",
              "java/util/Collection\\.parallelStream\\(.*",
              // sockets, names, files and processes
              "java/net/(Socket|ServerSocket|DatagramSocket)\\.<init>\\(.*",
              "java/net/http/HttpClient\\.new.*",
              "java/net/URL\\.open\\w+\\(.*",
              "java/net/InetAddress\\.get(ByName|AllByName|LocalHost)\\(.*",
              "java/nio/channels/\\w*Channel\\.open\\(.*",
              "java/nio/file/Files\\..*",
              "java/io/(File\\w*Stream|FileReader|FileWriter|RandomAccessFile)\\.<init>\\(.*",
              "java/lang/(ProcessBuilder\\.start|Runtime\\.exec)\\(.*"));

  /// Where the classes of Couv are.
  private static final List<String> OURS = List.of(place(Loop.class), place(OutsideCalls.class));

  private final Set<String> found = new TreeSet<>();
  private final Set<String> seen = new LinkedHashSet<>();
  private final Deque<String> left = new ArrayDeque<>();
  private final ClassLoader loader;

  private OutsideCalls(Class<?> first) {
    loader = first.getClassLoader();
    add(first.getName().replace('.', '/'));
  }

  /// One line for each, with the method that calls it, in the order of the alphabet.
  static List<String> of(Class<?> first) {
    OutsideCalls calls = new OutsideCalls(first);
    for (String next; (next = calls.left.poll()) != null; ) {
      calls.look(next);
    }
    return List.copyOf(calls.found);
  }

  /// What is told of them.
  static String told(List<String> calls) {
    return calls.isEmpty()
        ? "Nothing in the classes of this project calls anything there"
        : "The classes of this project call:\n  " + String.join("\n  ", calls);
  }

  /// Empty for most of the JDK's own.
  private static String place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? "" : String.valueOf(source.getLocation());
  }

  /// Whether the class is one of Couv.
  static boolean isOurs(Class<?> type) {
    return OURS.contains(place(type));
  }

  private void add(String name) {
    if (!name.startsWith("[") && !name.startsWith("java/") && seen.add(name)) {
      left.add(name);
    }
  }

  private void look(String name) {
    URL file = loader.getResource(name + ".class");
    if (file == null || !file.getProtocol().equals("file") || isOurs(file)) {
      return;
    }
    try (InputStream in = file.openStream()) {
      look(ClassFile.of().parse(in.readAllBytes()));
    } catch (IOException | IllegalArgumentException unreadable) {
      found.add(name.replace('/', '.') + " cannot be read: " + unreadable.getMessage());
    }
  }

  private static boolean isOurs(URL file) {
    return OURS.stream().anyMatch(place -> file.toString().startsWith(place));
  }

  private void look(ClassModel type) {
    for (PoolEntry entry : type.constantPool()) {
      if (entry instanceof ClassEntry referred) {
        add(referred.asInternalName());
      }
    }
    String name = type.thisClass().asInternalName().replace('/', '.');
    for (MethodModel method : type.methods()) {
      method
          .code()
          .ifPresent(
              code ->
                  code.forEach(
                      element -> {
                        switch (element) {
                          case InvokeInstruction call -> called(name, method, text(call.method()));
                          case InvokeDynamicInstruction made ->
                              made.bootstrapArgs().forEach(each -> referred(name, method, each));
                          default -> {}
                        }
                      }));
    }
  }

  private static String text(MemberRefEntry member) {
    return member.owner().asInternalName()
        + "."
        + member.name().stringValue()
        + member.type().stringValue();
  }

  /// As `System::nanoTime`.
  private void referred(String type, MethodModel method, ConstantDesc argument) {
    if (argument instanceof DirectMethodHandleDesc handle) {
      String owner = handle.owner().descriptorString();
      called(
          type,
          method,
          owner.substring(1, owner.length() - 1)
              + "."
              + handle.methodName()
              + handle.lookupDescriptor());
    }
  }

  private void called(String type, MethodModel method, String call) {
    if (OUTSIDE.matcher(call).matches()) {
      String shortened = call.substring(call.lastIndexOf('/', call.indexOf('(')) + 1);
      found.add(
          type
              + "."
              + method.methodName().stringValue().replaceFirst("lambda\\$(\\w+)\\$\\d+", "$1")
              + " calls "
              + shortened.substring(0, shortened.indexOf('(')).replace(".<init>", ""));
    }
  }
}
