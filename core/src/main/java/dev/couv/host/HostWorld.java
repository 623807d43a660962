// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.world.FileCalls;
import dev.couv.world.Watching;
import dev.couv.world.World;

/// The world of the machine this runs on.
public final class HostWorld implements World {
  /// There is one.
  public static final HostWorld INSTANCE = new HostWorld();

  private final FileCalls files = new HostFiles();
  private final Watching watching = new HostWatching();

  private HostWorld() {}

  @Override
  public FileCalls files() {
    return files;
  }

  @Override
  public Watching watching() {
    return watching;
  }
}
