// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import java.time.Duration;

/// What this process has used so far.
///
/// @param maxResidentBytes the most that was in memory at any time
/// @param minorFaults page faults that needed no disk
/// @param majorFaults page faults that did
/// @param blocksRead how often the file system had to read
/// @param blocksWritten how often it had to write
/// @param voluntarySwitches how often a thread waited for something
/// @param involuntarySwitches how often a thread's time was over
public record UsageInfo(
    Duration userTime,
    Duration systemTime,
    long maxResidentBytes,
    long minorFaults,
    long majorFaults,
    long swaps,
    long blocksRead,
    long blocksWritten,
    long messagesSent,
    long messagesReceived,
    long signals,
    long voluntarySwitches,
    long involuntarySwitches) {}
