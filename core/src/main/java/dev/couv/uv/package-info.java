// SPDX-License-Identifier: Apache-2.0

/// libuv as it is: C names, libuv's argument order and result codes, no meaning added.
///
/// One class per libuv topic. Loops, handles, requests and callbacks are raw addresses (`long`);
/// [Native] says why. Nothing here owns memory, keeps state or throws, except that our own bugs are
/// an [AssertionError] and a missing library is a [UvLibraryError]. libuv's manual documents the
/// functions; what a Java caller must know in addition stands at the method.
///
/// What libuv does not do is asked of the system, one class per topic, and which system that is stands
/// in [Platform] alone:
///
/// | System | Classes |
/// |---|---|
/// | Linux | [Epoll], [Inotify], [Memfd], [PosixSpawn] |
/// | every POSIX system | [Posix], [PosixBytes], [PosixDescriptor], [PosixSocket], [Termios] |
/// | all: numbers and layouts that differ | [Layouts], [FileLayouts], [SystemLayouts], by [Platform] |
///
/// Each function is a [Call], which a test can replace: the table of them, [Binder], knows none of those who bind them.
/// [Upcall] is the way back.
///
/// Threads: as in libuv. Only `uv_async_send` may be called from a thread other than the one that
/// runs the loop.
package dev.couv.uv;
