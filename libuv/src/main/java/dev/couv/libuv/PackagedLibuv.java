// SPDX-License-Identifier: Apache-2.0
package dev.couv.libuv;

import dev.couv.uv.BundledLibrary;
import dev.couv.uv.Platform;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// The library of the distribution that this artefact was built on, for the system and processor of this
/// process. What is inside is told by `libuv.properties` beside it, which `libuv/take` writes.
public final class PackagedLibuv implements BundledLibrary {
  private final String platform;
  private final Properties facts = new Properties();

  /// For the service loader.
  public PackagedLibuv() {
    this(Platform.NAME, System.getProperty("os.arch", ""));
  }

  PackagedLibuv(String system, String processor) {
    platform = system.replace(' ', '-').toLowerCase(Locale.ROOT) + "-" + name(processor);
    try (InputStream file = resource("libuv.properties")) {
      if (file != null) facts.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// As Debian's JVM and those of others call the same processor.
  private static String name(String processor) {
    return switch (processor) {
      case "amd64", "x86_64" -> "x86-64";
      case "arm64" -> "aarch64";
      default -> processor;
    };
  }

  @Override
  public String name() {
    return facts.isEmpty()
        ? "couv-libuv"
        : "couv-libuv (libuv1 %s of %s)".formatted(fact("version"), fact("distribution"));
  }

  @Override
  public String refusal(String glibc) {
    if (facts.isEmpty()) return "has no library for " + platform;
    if (glibc.isEmpty()) {
      return "is for the C library glibc, and this JVM uses another, such as musl";
    }
    return isOlder(glibc, fact("glibc"))
        ? "needs glibc " + fact("glibc") + " or newer, and this is " + glibc
        : "";
  }

  /// Both as `2.36`.
  static boolean isOlder(String version, String than) {
    return Version.parse(version).compareTo(Version.parse(than)) < 0;
  }

  @Override
  public byte[] bytes() throws IOException {
    try (InputStream library = resource("libuv.so.1")) {
      if (library == null) throw new FileNotFoundException("has no library for " + platform);
      return library.readAllBytes();
    }
  }

  @Override
  public Path unpack() throws IOException {
    return OwnDirectory.chosen().write(bytes());
  }

  @Override
  public void remove(Path file) {
    OwnDirectory.remove(file);
  }

  @Override
  public String whyNot(Path file) {
    return OwnDirectory.whyNot(file);
  }

  private String fact(String name) {
    return facts.getProperty(name, "unknown");
  }

  private @Nullable InputStream resource(String name) {
    return PackagedLibuv.class.getResourceAsStream(platform + "/" + name);
  }
}
