// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import java.time.Duration;

/// One processor: what it is, and how it has spent its time since the machine started.
///
/// @param model as its maker calls it
/// @param speedMegahertz how fast it runs now
/// @param userTime spent on programs
/// @param niceTime spent on programs that let others go first
/// @param systemTime spent on the system itself
/// @param idleTime spent on nothing
/// @param interruptTime spent on what devices asked for
public record CpuInfo(
    String model,
    int speedMegahertz,
    Duration userTime,
    Duration niceTime,
    Duration systemTime,
    Duration idleTime,
    Duration interruptTime) {}
