// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Those who run on a loop, as [Census] and whoever looks at the process from outside know them.
public interface Residents {
  /// How many they are. Any thread: as old as the loop's last turn.
  int count();

  /// Who they are and what they wait for, in words. Exact while the loop does not run.
  String describe();

  /// Those of a loop that nobody has moved into.
  Residents NOBODY =
      new Residents() {
        @Override
        public int count() {
          return 0;
        }

        @Override
        public String describe() {
          return "loop";
        }
      };
}
