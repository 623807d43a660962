// SPDX-License-Identifier: Apache-2.0

/// Sockets: TCP so far.
package dev.couv.net;
