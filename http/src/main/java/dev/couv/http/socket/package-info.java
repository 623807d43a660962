// SPDX-License-Identifier: Apache-2.0

/// WebSocket: frames, compression, and the two handshakes.
package dev.couv.http.socket;
