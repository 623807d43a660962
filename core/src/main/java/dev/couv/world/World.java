// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

/// Everything that the programs of a loop reach outside of it: chosen by the loop's options, the host's own unless
/// told otherwise. One method for each part; what a part opens it opens for one [dev.couv.loop.EventLoop], and what
/// waits is an [dev.couv.loop.Operation] that the feature takes through the door to suspension.
public interface World {
  Processes processes();

  Signals signals();

  Environment environment();
}
