// SPDX-License-Identifier: Apache-2.0

/// Coroutines and the loop that runs them. This package is the only door to suspension: everything
/// that waits does it through [dev.couv.coro.Suspension].
package dev.couv.coro;
