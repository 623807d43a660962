// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.UvException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.Tries;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each answer beside the one that the JDK or a program of the system gives.
final class InfoTest {
  @Test
  @Behaviour({"IN02", "IN04"})
  void everyProcessorIsDescribed() throws Exception {
    List<CpuInfo> cpus = Info.cpus();

    assertEquals(say("getconf", "_NPROCESSORS_ONLN"), Integer.toString(cpus.size()));
    assertTrue(Info.parallelism() >= 1 && Info.parallelism() <= cpus.size());
    for (CpuInfo cpu : cpus) {
      assertFalse(cpu.model().isEmpty());
      long spent = cpu.userTime().plus(cpu.systemTime()).plus(cpu.idleTime()).toMillis();
      assertTrue(spent > 0 && spent < Info.uptime().toMillis() * 2, cpu::toString);
    }
  }

  @Test
  @Behaviour("IN02")
  void memoryIsWhatTheSystemSays() throws Exception {
    MemoryInfo memory = Info.memory();

    long total = number("/proc/meminfo", "MemTotal:") * 1024;
    assertEquals(total, memory.totalBytes());
    assertTrue(memory.freeBytes() > 0 && memory.freeBytes() < total);
    assertTrue(memory.limitBytes() > 0 && memory.limitBytes() <= total);
    Tries.oneOf(
        20, // it changes all the time
        () -> {
          double resident = Info.memory().residentBytes();
          assertEquals(1, resident / (number("/proc/self/status", "VmRSS:") * 1024), 0.5);
        });
  }

  @Test
  @Behaviour("IN02")
  void loadAndUptimeAreWhatTheSystemSays() throws Exception {
    Tries.oneOf(
        20, // it changes every five seconds
        () -> {
          String[] load = Files.readString(Path.of("/proc/loadavg")).split(" ");
          assertEquals(Double.parseDouble(load[2]), Info.load().fifteenMinutes(), 0.5);
        });
    assertTrue(Info.load().oneMinute() >= 0 && Info.load().fiveMinutes() >= 0);
    double before = uptime();
    double told = Info.uptime().toMillis() / 1000.0;
    double after = uptime();
    assertTrue(told >= before - 5 && told <= after + 5, before + ", " + told + ", " + after);
  }

  private static double uptime() throws Exception {
    return Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ")[0]);
  }

  @Test
  @Behaviour("IN02")
  void namesAreWhatTheSystemSays() throws Exception {
    assertEquals(say("uname", "-n"), Info.hostName());
    OsInfo os = Info.os();
    assertEquals(say("uname", "-srm"), os.name() + " " + os.release() + " " + os.machine());
    assertEquals(say("uname", "-v"), os.version());
    UserInfo user = Info.user();
    assertEquals(say("id", "-un"), user.name());
    assertEquals(say("id", "-u"), Long.toString(user.uid()));
    assertEquals(say("id", "-g"), Long.toString(user.gid()));
    assertTrue(Files.isDirectory(user.home()) && user.shell().startsWith("/"), user::toString);
    assertEquals(ProcessHandle.current().pid(), Info.pid());
    assertEquals(ProcessHandle.current().parent().orElseThrow().pid(), Info.parentPid());
    assertEquals(
        Path.of(ProcessHandle.current().info().command().orElseThrow()), Info.executable());
    assertTrue(Files.isDirectory(Info.tempDir()) && Files.isDirectory(Info.homeDir()));
  }

  @Test
  void theTitleCanBeChanged() throws Exception {
    String before = Info.title();
    try {
      Info.title("a name that is too long");
      assertEquals("a name that is", Info.title());
      Info.title("\u4e16\u754c\u4e16\u754c12\u4e16\u754c");
      assertEquals(
          "\u4e16\u754c\u4e16\u754c12", Info.title()); // 14 bytes: the next character has 3
      Files.write(
          Path.of("/proc/self/comm"), new byte[] {'a', (byte) 0xe4, (byte) 0xb8}); // by others
      assertEquals("a\ufffd", Info.title());
      assertThrows(IllegalArgumentException.class, () -> Info.title("cut\0off"));
      assertEquals("a\ufffd", Info.title());
    } finally {
      Info.title(before);
    }
    assertEquals(before, Info.title());
  }

  @Test
  @Behaviour("IN02")
  void usageGrowsWithWork() throws Exception {
    UsageInfo before = Info.usage();
    UsageInfo after = Info.usage();
    long patience = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (time(after).compareTo(time(before)) <= 0 && System.nanoTime() < patience) {
      after = Info.usage(); // which is some work
    }

    assertTrue(after.userTime().compareTo(before.userTime()) >= 0);
    assertTrue(time(after).compareTo(time(before)) > 0);
    assertEquals(
        1, (double) after.maxResidentBytes() / (number("/proc/self/status", "VmHWM:") * 1024), 0.5);
    assertTrue(after.minorFaults() > 0 && after.voluntarySwitches() > 0);
  }

  private static Duration time(UsageInfo usage) {
    return usage.userTime().plus(usage.systemTime());
  }

  @Test
  @Behaviour({"IN08", "IN09", "IN10"})
  void interfacesAreThoseOfTheJdk() throws Exception {
    Map<String, Set<String>> theirs = new HashMap<>();
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      for (InterfaceAddress address :
          each.isUp() ? each.getInterfaceAddresses() : List.<InterfaceAddress>of()) {
        byte[] hardware = each.getHardwareAddress();
        String text =
            HexFormat.ofDelimiter(":").formatHex(hardware == null ? new byte[6] : hardware);
        theirs
            .computeIfAbsent(each.getName(), _ -> new TreeSet<>())
            .add(
                plain(address.getAddress())
                    + "/"
                    + address.getNetworkPrefixLength()
                    + " "
                    + text
                    + " "
                    + each.isLoopback());
      }
    }

    Map<String, Set<String>> ours =
        Info.interfaces().stream()
            .collect(
                Collectors.groupingBy(
                    NetInterface::name,
                    Collectors.mapping(
                        each ->
                            plain(each.address())
                                + "/"
                                + each.prefixBits()
                                + " "
                                + each.hardwareText()
                                + " "
                                + each.isInternal(),
                        Collectors.toCollection(TreeSet::new))));

    assertEquals(theirs, ours);
  }

  /// With the number of the scope, which an address of a link has; the JDK gives others one, too.
  private static String plain(InetAddress address) {
    String text = address.getHostAddress().replaceAll("%.*", "");
    return address instanceof Inet6Address inet6 && inet6.isLinkLocalAddress()
        ? text + "%" + inet6.getScopeId()
        : text;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uv_cpu_info",
        "uv_interface_addresses",
        "uv_resident_set_memory",
        "uv_uptime",
        "uv_getrusage",
        "uv_os_gethostname",
        "uv_os_uname",
        "uv_os_get_passwd",
        "uv_exepath",
        "uv_os_tmpdir",
        "uv_os_homedir"
      })
  void aCallThatFailsIsToldAndLeavesNothing(String call) {
    Map<String, Callable<Object>> questions =
        Map.ofEntries(
            Map.entry("uv_cpu_info", Info::cpus),
            Map.entry("uv_interface_addresses", Info::interfaces),
            Map.entry("uv_resident_set_memory", Info::memory),
            Map.entry("uv_uptime", Info::uptime),
            Map.entry("uv_getrusage", Info::usage),
            Map.entry("uv_os_gethostname", Info::hostName),
            Map.entry("uv_os_uname", Info::os),
            Map.entry("uv_os_get_passwd", Info::user),
            Map.entry("uv_exepath", Info::executable),
            Map.entry("uv_os_tmpdir", Info::tempDir),
            Map.entry("uv_os_homedir", Info::homeDir));
    int code = UvErrors.code("EIO");
    try (var _ = NativeCalls.replace(call, NativeCalls.failing(call, code))) {
      assertEquals("EIO", assertThrows(UvException.class, () -> questions.get(call).call()).code());
    }
  }

  private static String say(String... command) throws IOException {
    Process process = new ProcessBuilder(command).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }

  private static long number(String file, String field) throws IOException {
    return Files.readAllLines(Path.of(file)).stream()
        .filter(line -> line.startsWith(field))
        .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]))
        .findFirst()
        .orElseThrow();
  }

  /// Refused, and no access to address 0, which would end the VM.
  @Test
  void withoutNativeMemoryEachAnswerIsRefused() throws Exception {
    List<Callable<?>> questions =
        List.of(
            Info::cpus,
            Info::memory,
            Info::load,
            Info::uptime,
            Info::hostName,
            Info::os,
            Info::interfaces,
            Info::usage,
            Info::user,
            Info::executable);
    for (int i = 0; i < questions.size(); i++) {
      try (var _ = NativeCalls.replace("calloc", NativeCalls.failing("calloc", 0))) {
        assertThrows(OutOfMemoryError.class, questions.get(i)::call, "question " + i);
      }
    }
    try (var _ = NativeCalls.replace("malloc", NativeCalls.failing("malloc", 0))) {
      assertThrows(OutOfMemoryError.class, () -> Info.randomNow(java.nio.ByteBuffer.allocate(10)));
    }
  }
}
