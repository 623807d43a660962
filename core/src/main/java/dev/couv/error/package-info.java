// SPDX-License-Identifier: Apache-2.0

/// The throwables a user may catch. They know nothing of the other packages, so every layer can
/// throw them.
///
/// What happens to I/O is an `IOException`: the JDK's own type where there is one, else a [UvException] with the system's code. What is
/// no I/O is unchecked: [ClosedException] if this side closed it, [BrokenException] if the other side of it failed, [BusyException] if another
/// coroutine is already there.
///
/// ```java
/// try (var stream = Tcp.connect("127.0.0.1", 1)) {
///   stream.write("hello");
/// } catch (ConnectException refused) {
///   // nobody listens there
/// } catch (UvException other) {
///   throw new IOException(other.code() + " of " + other.subject(), other);
/// }
/// ```
package dev.couv.error;
