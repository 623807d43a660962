// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import java.time.Duration;

/// What this process has used so far.
///
/// @param userTime processor time of its own code
/// @param systemTime processor time that the system has used for it
/// @param maxResidentBytes the most that was in memory at any time
/// @param minorFaults page faults that needed no disk
/// @param majorFaults page faults that needed one
/// @param swaps how often it was moved out of memory as a whole; always 0 on Linux
/// @param blocksRead how often the file system had to read
/// @param blocksWritten how often the file system had to write
/// @param messagesSent through sockets, where the system counts them; always 0 on Linux
/// @param messagesReceived through sockets, where the system counts them; always 0 on Linux
/// @param signals how many it got, where the system counts them; always 0 on Linux
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
