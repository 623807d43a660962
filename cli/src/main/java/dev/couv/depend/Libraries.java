// SPDX-License-Identifier: Apache-2.0
package dev.couv.depend;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The files of the libraries that were asked for, and of all that those need, in the order of a class path.
///
/// What was found once is remembered while it still holds, so that a second run asks neither Maven's
/// resolver, whose start takes longer than most scripts, nor the network.
public final class Libraries {
  private final LibraryCache cache;
  private final boolean offline;

  /// With a directory to remember in, if any. Offline nothing is asked for beyond this machine.
  public Libraries(@Nullable Path directory, boolean offline) {
    this.cache = new LibraryCache(directory);
    this.offline = offline;
  }

  /// The files for what is wanted; nothing if nothing is.
  ///
  /// @throws UnresolvedException if one of them is not there, or cannot be had now
  public List<Path> find(List<Coordinates> wanted) throws UnresolvedException {
    if (wanted.isEmpty()) {
      return List.of();
    }
    MavenPlaces places = MavenPlaces.ofUser();
    Optional<List<Path>> known = cache.find(wanted, places);
    if (known.isPresent()) {
      return known.get();
    }
    List<Path> found = MavenResolver.resolve(wanted, places, offline);
    cache.keep(wanted, places, found);
    return found;
  }
}
