// SPDX-License-Identifier: Apache-2.0

/// The machine and this process: processors, memory, load, network interfaces, users; and random bytes.
///
/// ```java
/// long free = Info.memory().freeBytes();
/// int processors = Info.cpus().size();
/// var key = ByteBuffer.allocate(32);
/// Info.random(key); // waits; everything else here answers at once
/// ```
package dev.couv.info;
