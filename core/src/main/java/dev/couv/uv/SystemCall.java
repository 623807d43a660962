// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

/// Calls of Linux by their numbers, which are not the same on all processors. What follows the arguments that are given is not looked at by any of
/// them: an address that is null has no length, and a mask that is null no size.
enum SystemCall {
  RECVFROM(45, 207),
  SENDTO(44, 206),
  EPOLL_PWAIT(281, 22);

  private static final int UNKNOWN = -1;

  private final int number;

  SystemCall(int onX86, int onArm) {
    this.number =
        !Platform.isLinux()
            ? UNKNOWN
            : switch (System.getProperty("os.arch", "")) {
              case "amd64" -> onX86;
              case "aarch64" -> onArm;
              default -> UNKNOWN;
            };
  }

  /// Whether it is one of this system, on a processor whose numbers are known.
  boolean hasNumber() {
    return number != UNKNOWN;
  }

  int number() {
    return number;
  }
}
