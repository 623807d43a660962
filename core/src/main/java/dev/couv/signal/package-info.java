// SPDX-License-Identifier: Apache-2.0

/// Signals of the system: waiting for them, watching, sending.
///
/// ```java
/// try (var signals = Signal.watch(Signal.USR1)) {
///   Signal.send(ProcessHandle.current().pid(), Signal.USR1);
///   Signal came = signals.next();
/// }
/// ```
///
/// While a signal is awaited or watched it does not do what it does otherwise; when the last one leaves, what was there before is put back.
package dev.couv.signal;
