// SPDX-License-Identifier: Apache-2.0

/// Sockets and names: TCP, UDP, local sockets, lookups, and TLS over any stream.
package dev.couv.net;
