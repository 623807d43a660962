// SPDX-License-Identifier: Apache-2.0

/// Waiting until a file descriptor that belongs to somebody else is ready.
package dev.couv.poll;
