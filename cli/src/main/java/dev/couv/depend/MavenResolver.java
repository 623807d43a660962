// SPDX-License-Identifier: Apache-2.0
package dev.couv.depend;

import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.context.Runtimes;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.eclipse.aether.resolution.DependencyResult;
import org.eclipse.aether.util.filter.DependencyFilterUtils;

/// Maven's own resolver, with what the user has set for Maven: mirrors, proxies, credentials, the local
/// repository, offline. The only class that knows it, and nothing of it is loaded before it is needed.
final class MavenResolver {
  private MavenResolver() {}

  static List<Path> resolve(List<Coordinates> wanted, MavenPlaces places, boolean offline)
      throws UnresolvedException {
    try (Context context = Runtimes.INSTANCE.getRuntime().create(overrides(places, offline))) {
      CollectRequest collect = new CollectRequest();
      wanted.forEach(each -> collect.addDependency(new Dependency(artifact(each), "runtime")));
      collect.setRepositories(context.remoteRepositories());
      DependencyRequest request =
          new DependencyRequest(
              collect, DependencyFilterUtils.classpathFilter("runtime", "compile"));
      try {
        DependencyResult result =
            context
                .repositorySystem()
                .resolveDependencies(context.repositorySystemSession(), request);
        return result.getArtifactResults().stream()
            .map(each -> each.getArtifact().getFile().toPath())
            .toList();
      } catch (DependencyResolutionException failure) {
        throw unresolved(failure, context);
      }
    }
  }

  private static ContextOverrides overrides(MavenPlaces places, boolean offline) {
    ContextOverrides.Builder overrides = ContextOverrides.create().withUserSettings(true);
    if (places.installed() != null) {
      overrides
          .withMavenSystemHomeOverride(places.installed())
          .withGlobalSettingsXmlOverride(MavenPlaces.globalSettings(places.installed()));
    }
    if (places.repository() != null) {
      overrides.withLocalRepositoryOverride(places.repository());
    }
    if (offline) {
      overrides.offline(true);
    }
    return overrides.build();
  }

  private static Artifact artifact(Coordinates wanted) {
    return new DefaultArtifact(
        wanted.group(), wanted.artifact(), wanted.classifier(), wanted.type(), wanted.version());
  }

  /// In one sentence: what is missing, and where it was looked for.
  private static UnresolvedException unresolved(
      DependencyResolutionException failure, Context context) {
    List<String> missing =
        failure.getResult() == null
            ? List.of()
            : failure.getResult().getArtifactResults().stream()
                .filter(result -> !result.isResolved())
                .map(MavenResolver::name)
                .toList();
    if (missing.isEmpty()) {
      return new UnresolvedException(String.valueOf(deepest(failure).getMessage()), failure);
    }
    String places =
        context.repositorySystemSession().isOffline()
            ? "this machine, being offline"
            : context.remoteRepositories().stream()
                .map(RemoteRepository::getId)
                .collect(Collectors.joining(", "));
    String why = isAbsence(failure) ? "" : ": " + deepest(failure).getMessage();
    return new UnresolvedException(
        "not found: " + String.join(", ", missing) + " (looked in " + places + ")" + why, failure);
  }

  private static String name(ArtifactResult result) {
    Artifact artifact = result.getRequest().getArtifact();
    return artifact.getGroupId() + ":" + artifact.getArtifactId() + ":" + artifact.getVersion();
  }

  /// Whether everybody was asked and nobody had it; otherwise something went wrong on the way.
  private static boolean isAbsence(Throwable failure) {
    return deepest(failure) instanceof org.eclipse.aether.transfer.ArtifactNotFoundException;
  }

  private static Throwable deepest(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
