// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.world.Environment;
import dev.couv.world.Processes;
import dev.couv.world.Signals;
import dev.couv.world.World;

/// The world of the machine this runs on.
public final class HostWorld implements World {
  /// There is one.
  public static final HostWorld INSTANCE = new HostWorld();

  private HostWorld() {}

  @Override
  public Processes processes() {
    return HostProcesses.INSTANCE;
  }

  @Override
  public Signals signals() {
    return HostSignals.INSTANCE;
  }

  @Override
  public Environment environment() {
    return HostEnvironment.INSTANCE;
  }
}
