// SPDX-License-Identifier: Apache-2.0

/// libuv as it is: C names, libuv's argument order and result codes, no meaning added.
///
/// One class per libuv topic. Loops, handles, requests and callbacks are raw addresses (`long`);
/// [Native] says why. Nothing here owns memory, keeps state or throws, except that our own bugs are
/// an [AssertionError] and a missing library is a [UvLibraryError]. libuv's manual documents the
/// functions; what a Java caller must know in addition stands at the method.
///
/// Threads: as in libuv. Only `uv_async_send` may be called from a thread other than the one that
/// runs the loop.
package dev.couv.uv;
