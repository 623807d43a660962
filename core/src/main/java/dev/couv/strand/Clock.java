// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/// A loop's clock. A virtual one stands still until it is told to `jump` to a deadline, which it may refuse; before
/// that the sockets that somebody waits for must have been silent for `quietNanos` of the machine's.
public record Clock(
    LongSupplier nanos, boolean isVirtual, LongSupplier quietNanos, LongPredicate jump) {}
