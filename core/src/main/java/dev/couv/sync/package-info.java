// SPDX-License-Identifier: Apache-2.0

/// What coroutines synchronise with. Everything here is built from one [dev.couv.sync.WaitQueue],
/// except what also works between threads, and knows nothing of libuv.
package dev.couv.sync;
