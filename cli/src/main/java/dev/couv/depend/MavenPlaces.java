// SPDX-License-Identifier: Apache-2.0
package dev.couv.depend;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where this user's Maven has its settings and its local repository: what `mvn` itself would take.
///
/// @param user the user's own settings, which need not be there
/// @param installed the installation that `mvn` on the `PATH` is of, with settings for all users; null if there is none
/// @param repository the local repository if `-Dmaven.repo.local` names another than the settings do
record MavenPlaces(Path user, @Nullable Path installed, @Nullable Path repository) {
  static MavenPlaces ofUser() {
    String repository = System.getProperty("maven.repo.local", "");
    return new MavenPlaces(
        Path.of(System.getProperty("user.home"), ".m2", "settings.xml"),
        installation().orElse(null),
        repository.isEmpty() ? null : Path.of(repository).toAbsolutePath());
  }

  /// The files that say where and how to look.
  List<Path> settings() {
    List<Path> files = new ArrayList<>(List.of(user));
    if (installed != null) {
      files.add(globalSettings(installed));
    }
    return files;
  }

  static Path globalSettings(Path installed) {
    return installed.resolve("conf/settings.xml");
  }

  private static Optional<Path> installation() {
    String home = System.getenv("MAVEN_HOME");
    if (home != null && !home.isEmpty()) {
      return Optional.of(Path.of(home));
    }
    String path = System.getenv("PATH");
    for (String directory : path == null ? new String[0] : path.split(File.pathSeparator, -1)) {
      Optional<Path> found = installationOf(directory);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> installationOf(String directory) {
    try {
      Path mvn = Path.of(directory, "mvn");
      if (!Files.isExecutable(mvn)) {
        return Optional.empty();
      }
      Path bin = mvn.toRealPath().getParent();
      return Optional.ofNullable(bin == null ? null : bin.getParent())
          .filter(home -> Files.exists(globalSettings(home)));
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }
}
