// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

/// What was named as a script is none; the message is for the user.
final class BadScript extends Exception {
  private static final long serialVersionUID = 1;

  BadScript(String message) {
    super(message);
  }
}
