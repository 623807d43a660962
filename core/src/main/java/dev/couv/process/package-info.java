// SPDX-License-Identifier: Apache-2.0

/// Child processes: starting them, talking with them, waiting for their end.
package dev.couv.process;
