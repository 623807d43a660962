// SPDX-License-Identifier: Apache-2.0

/// The loop's time, sleeping, timeouts, tickers.
package dev.couv.time;
