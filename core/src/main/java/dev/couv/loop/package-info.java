// SPDX-License-Identifier: Apache-2.0

/// Who owns a libuv loop, its memory and its timers, and the four kinds of operation with their
/// states. This layer does not know coroutines: whoever waits is a [dev.couv.loop.Waiter].
///
/// Everything here is confined to the thread that runs the loop, unless it says otherwise.
package dev.couv.loop;
