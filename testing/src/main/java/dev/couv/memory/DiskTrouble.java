// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import org.jspecify.annotations.Nullable;

/// What a disk does to those who use it, asked anew for each call.
public interface DiskTrouble {
  /// A disk that is quick and never fails.
  DiskTrouble NONE =
      new DiskTrouble() {
        @Override
        public long latency(String call) {
          return 0;
        }

        @Override
        public @Nullable String error(String call) {
          return null;
        }

        @Override
        public boolean misdirects() {
          return false;
        }

        @Override
        public long capacity() {
          return 1L << 40;
        }
      };

  /// How long that call takes, in nanoseconds.
  long latency(String call);

  /// The code that it fails with, as `EIO`; null if it does not.
  @Nullable String error(String call);

  /// Whether this write goes somewhere else in its file.
  boolean misdirects();

  /// How many bytes it has room for.
  long capacity();
}
