// SPDX-License-Identifier: Apache-2.0

/// HTTP/1.1 over a stream of bytes: heads taken apart and put together, bodies framed, one connection after the other's
/// requests.
package dev.couv.http.one;
