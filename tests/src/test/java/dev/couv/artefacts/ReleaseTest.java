// SPDX-License-Identifier: Apache-2.0
package dev.couv.artefacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.couv.Needed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What people expect of a version in a repository.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class ReleaseTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "couv",
        "couv-libuv",
        "couv-http",
        "couv-resilience",
        "couv-bridge",
        "couv-metrics",
        "couv-testing"
      })
  void anArtefactHasAllThatBelongsToIt(String artefact) throws Exception {
    for (String classifier : List.of("", "-sources", "-javadoc")) {
      Set<String> names = names(Artefacts.file(artefact, classifier, "jar"));
      assertThat(names).as(artefact + classifier).contains("META-INF/LICENSE", "META-INF/NOTICE");
    }
    assertThat(names(Artefacts.file(artefact, "", "jar"))).contains("module-info.class");
    assertThat(names(Artefacts.file(artefact, "-sources", "jar"))).contains("module-info.java");
    if (!artefact.equals("couv-libuv")) { // which has no API
      assertThat(names(Artefacts.file(artefact, "-javadoc", "jar"))).contains("index.html");
    }
    assertThat(Files.readString(Artefacts.file(artefact, "-cyclonedx", "json")))
        .contains("\"CycloneDX\"", "\"" + artefact + "\"");
    assertThat(Files.readString(Artefacts.file(artefact, "", "pom")))
        .contains("<artifactId>" + artefact + "</artifactId>", "<description>");
  }

  @Test
  void theBomManagesOurArtefactsAndNothingElse() throws Exception {
    String bom = Files.readString(Artefacts.file("couv-bom", "", "pom"));
    Set<String> managed =
        bom.substring(bom.indexOf("<dependencyManagement>"))
            .lines()
            .filter(line -> line.contains("<artifactId>"))
            .map(line -> line.strip().replaceAll("</?artifactId>", ""))
            .collect(Collectors.toSet());
    try (var artefacts = Files.list(Artefacts.repository().resolve("dev/couv"))) {
      Set<String> published =
          artefacts
              .map(path -> path.getFileName().toString())
              .filter(name -> !name.equals("couv-bom") && !name.equals("couv-parent"))
              .collect(Collectors.toSet());

      assertEquals(published, managed);
    }
    assertThat(bom).doesNotContain("<parent>", "junit", "netty");
    assertThat(bom).contains("<scm", "<licenses>", "<developers>", "<url>");
  }

  /// With a key that lives as long as the test; nothing is sent. One artefact is enough to see that the profile works.
  @Test
  void aReleaseIsSigned(@TempDir Path keys) throws Exception {
    Path copy = Artefacts.repository().resolveSibling("one/couv");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rwx------"));
    Map<String, String> environment =
        Map.of("GNUPGHOME", keys.toString(), "JAVA_HOME", Artefacts.JAVA_HOME.toString());
    try {
      assertEnds(
          copy,
          environment,
          List.of(Needed.program("gpg"), "--batch", "--passphrase", ""),
          "--quick-gen-key",
          "Nobody <nobody@example.invalid>",
          "ed25519",
          "sign",
          "never");

      assertEnds(
          copy,
          environment,
          List.of(Needed.program("mvn"), "-q", "-Partefacts,release", "-pl", "bom"),
          "-DskipTests",
          "-DskipPublishing",
          "verify");

      try (var files = Files.list(copy.resolve("bom/target"))) {
        List<Path> signatures = files.filter(file -> file.toString().endsWith(".asc")).toList();
        assertThat(signatures).isNotEmpty();
        for (Path each : signatures) {
          String signed = each.toString().replaceAll("\\.asc$", "");
          assertEnds(copy, environment, List.of("gpg", "--verify"), each.toString(), signed);
        }
      }
    } finally {
      Artefacts.run(copy, environment, "gpgconf", "--kill", "all");
    }
  }

  private static void assertEnds(
      Path directory, Map<String, String> environment, List<String> command, String... rest)
      throws Exception {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(rest));
    Artefacts.Result result = Artefacts.run(directory, environment, all.toArray(String[]::new));
    assertEquals(0, result.status(), result.output());
  }

  /// That the comparison can fail.
  @Test
  void aBuildThatDiffersIsFound(@TempDir Path folder) throws Exception {
    for (String tree : List.of("one", "two")) {
      Path target = Files.createDirectories(folder.resolve(tree).resolve("core/target"));
      Files.writeString(target.resolve("couv-1.jar"), "the same");
    }
    assertEquals(0, compare(folder).status());

    Files.writeString(folder.resolve("two/core/target/couv-1.jar"), "another");

    assertEquals(1, compare(folder).status());
    assertThat(compare(folder).output()).contains("differ:", "./core/target/couv-1.jar");
  }

  @Test
  void nothingBuiltIsNoSuccess(@TempDir Path folder) throws Exception {
    Files.createDirectory(folder.resolve("one"));
    Files.createDirectory(folder.resolve("two"));

    assertEquals(1, compare(folder).status());
  }

  private static Artefacts.Result compare(Path folder) throws Exception {
    return Artefacts.run(
        Artefacts.BASE,
        Map.of(),
        "tools/artefacts",
        "--compare",
        folder.resolve("one").toString(),
        folder.resolve("two").toString());
  }

  private static Set<String> names(Path jar) throws IOException {
    try (ZipFile file = new ZipFile(jar.toFile())) {
      assertNotNull(file.entries());
      return file.stream().map(Object::toString).collect(Collectors.toSet());
    }
  }
}
