// SPDX-License-Identifier: Apache-2.0

/// Waiting until a file descriptor that belongs to somebody else is ready: [Poll] makes a [PollEvent] of it, which is awaited as any other
/// event. The descriptor stays its owner's, who closes it after the event.
///
/// ```java
/// int descriptor = 1; // of a library that has its own sockets
/// Awaitable<Set<Readiness>> ready;
/// try (var event = Poll.open(descriptor, Readiness.WRITABLE)) {
///   ready = event; // to be awaited, alone or by Await.select
/// } catch (IOException e) {
///   // what it is cannot be polled: a file, for example
/// }
/// ```
package dev.couv.poll;
