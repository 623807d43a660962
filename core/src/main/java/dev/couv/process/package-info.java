// SPDX-License-Identifier: Apache-2.0

/// Child processes: starting them, talking with them, waiting for their end; and what children inherit of this process.
///
/// ```java
/// Output output = Command.of("sh", "-c", "echo hello").output();
/// String said = output.stdoutText();
///
/// try (var child = Command.of("sleep", "100").start()) {
///   child.signal(Signal.TERM);
///   switch (child.exit()) {
///     case Exit.Code code -> throw new IOException("ended with " + code.value());
///     case Exit.Signalled by -> {} // as it was told
///   }
/// }
/// ```
///
/// A [Command] is a value. What `run` and `output` have started they kill when they are cancelled; closing a [Child] kills it, unless it is
/// detached.
package dev.couv.process;
