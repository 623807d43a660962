// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Files that were used not long ago. What the system knows of one of these is in its memory: so it is asked at once, which takes
/// a microsecond or two, where a thread would take ten. Of any other file the answer may have to come from a disk, so
/// it is awaited.
///
/// No answer is kept: each is as new as the question.
public final class WarmFiles {
  /// How long after it was awaited a file is taken for known, in nanoseconds. Then it is awaited again: a disk that
  /// has ceased to answer holds the loop up no longer than this.
  static final long WARM = 1_000_000_000;

  /// How many are remembered.
  static final int MOST = 1024;

  private final Recent<Path, Boolean> opened = new Recent<>();

  /// Opens an ordinary file for reading. It is the caller's, who closes it.
  public OpenFile open(Path path) throws IOException {
    if (opened.get(path) != null) {
      return Fs.openRegularNow(path);
    }
    OpenFile file = Fs.openRegular(path);
    opened.put(path, true);
    return file;
  }

  /// What was put in less than [#WARM] ago, by the loop's clock; of more than [#MOST] the oldest goes.
  public static final class Recent<K, V> {
    private record Held<V>(V value, long since) {}

    private final Map<K, Held<V>> entries =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Held<V>> eldest) {
            return size() > MOST;
          }
        };

    /// Null if it is not there, or not any more.
    public @Nullable V get(K key) {
      Held<V> entry = entries.get(key);
      if (entry == null) {
        return null;
      }
      if (Time.nanos() - entry.since >= WARM) {
        entries.remove(key);
        return null;
      }
      return entry.value;
    }

    /// From now on.
    public void put(K key, V value) {
      entries.put(key, new Held<>(value, Time.nanos()));
    }
  }
}
