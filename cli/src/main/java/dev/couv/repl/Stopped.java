// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

/// How a snippet ends that was cancelled before it has begun, or stopped although it never waits. The prompt knows it by
/// its name: JShell keeps no more of what a snippet throws.
final class Stopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Stopped() {
    super("stopped at the prompt");
  }
}
