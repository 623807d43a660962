// SPDX-License-Identifier: Apache-2.0

/// libuv as a distribution has packaged it, and how it is unpacked: no API, Couv finds it.
package dev.couv.libuv;
