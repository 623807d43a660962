// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is to be run, with its surroundings.
///
/// @param words the program's name and its arguments
/// @param dir where it runs; null to inherit
/// @param env all variables it has; null to inherit them
/// @param variables those it has besides, or with another value
/// @param uid the user it is; null to inherit
/// @param gid the group it is in; null to inherit
/// @param detached whether it leads a session and a group of its own
public record Program(
    List<String> words,
    @Nullable Path dir,
    @Nullable Map<String, String> env,
    Map<String, String> variables,
    @Nullable Long uid,
    @Nullable Long gid,
    boolean detached) {
  /// With everything inherited.
  ///
  /// @throws IllegalArgumentException if the program is missing or empty, or a word contains a NUL
  public static Program of(List<String> words) {
    if (words.isEmpty() || words.getFirst().isEmpty()) {
      throw new IllegalArgumentException("no program is named");
    }
    for (int i = 0; i < words.size(); i++) {
      checkNoNul(words.get(i), i == 0 ? "the program's name" : "argument " + i);
    }
    return new Program(List.copyOf(words), null, null, Map.of(), null, null, false);
  }

  /// Throws if it is no text for a C program.
  public static void checkNoNul(String text, String what) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(what + " contains a NUL");
    }
  }

  /// Whether nothing was said about its environment.
  public boolean inheritsEnv() {
    return env == null && variables.isEmpty();
  }

  /// As it was called, which is how messages call it.
  public String name() {
    return words.getFirst();
  }

  public Program withDir(Path newDir) {
    return new Program(words, newDir, env, variables, uid, gid, detached);
  }

  public Program withEnv(@Nullable Map<String, String> all, Map<String, String> more) {
    return new Program(words, dir, all, Map.copyOf(more), uid, gid, detached);
  }

  public Program withUid(long newUid) {
    return new Program(words, dir, env, variables, newUid, gid, detached);
  }

  public Program withGid(long newGid) {
    return new Program(words, dir, env, variables, uid, newGid, detached);
  }

  public Program withDetached(boolean newDetached) {
    return new Program(words, dir, env, variables, uid, gid, newDetached);
  }
}
