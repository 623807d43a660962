// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// A snapshot of a loop.
///
/// @param coroutines started or queued, and not ended
/// @param ready those in the ready queue
/// @param handles native handles of open objects
/// @param closingHandles native handles of objects that are being closed
/// @param requests requests that libuv has not called back for, canceled ones included
/// @param timers deadlines that somebody waits for
/// @param iterations turns of the loop so far
/// @param nativeBlocks blocks of native memory that handles and requests use
/// @param nativeBytes all native memory that the loop holds
/// @param engine `"loop-scheduled"` or `"hand-over"`
public record LoopStats(
    int coroutines,
    int ready,
    int handles,
    int closingHandles,
    int requests,
    int timers,
    long iterations,
    int nativeBlocks,
    long nativeBytes,
    String engine) {}
