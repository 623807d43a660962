// SPDX-License-Identifier: Apache-2.0

/// Byte streams: what sockets, terminals and a child's standard streams have in common.
package dev.couv.stream;
