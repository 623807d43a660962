// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// A snapshot of a loop.
///
/// - `coroutines`: started or queued, and not ended.
/// - `ready`: in the ready queue.
/// - `handles`, `closingHandles`: native handles of open objects, and of those being closed.
/// - `requests`: requests that libuv has not called back for, canceled ones included.
/// - `timers`: deadlines somebody waits for.
/// - `iterations`: turns of the loop so far.
/// - `nativeBlocks`, `nativeBytes`: native memory in use by handles and requests, and all native
///   memory the loop holds.
/// - `engine`: `"loop-scheduled"` or `"hand-over"`.
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
