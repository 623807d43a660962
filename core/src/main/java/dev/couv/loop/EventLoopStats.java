// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// A snapshot of what an event loop has in hand. `blocks` and `blockBytes` are native memory that
/// libuv may still know of; `nativeBytes` is all native memory of the loop, pools included.
public record EventLoopStats(
    int openHandles,
    int closingHandles,
    int requests,
    int waits,
    int timers,
    int outsideWork,
    int blocks,
    long blockBytes,
    long nativeBytes,
    long polls) {}
