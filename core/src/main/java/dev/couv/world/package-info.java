// SPDX-License-Identifier: Apache-2.0
/// What a loop's program touches outside itself, as interfaces: no libuv, no system, no coroutines. The native half of
/// every feature stands behind one of them (`dev.couv.host`); a world in memory can stand there instead.
package dev.couv.world;
