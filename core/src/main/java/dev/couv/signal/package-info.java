// SPDX-License-Identifier: Apache-2.0

/// Signals of the system: waiting for them, watching, sending.
package dev.couv.signal;
