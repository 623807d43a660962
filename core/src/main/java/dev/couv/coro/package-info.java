// SPDX-License-Identifier: Apache-2.0

/// Coroutines and the loop that runs them, as users hold them: coroutines, loops, scopes, task groups, events, and the
/// ways to wait for several. What runs below them is in `dev.couv.strand`.
package dev.couv.coro;
