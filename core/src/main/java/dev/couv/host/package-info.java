// SPDX-License-Identifier: Apache-2.0
/// The native half of every feature: the host's world, by libuv and the system's own calls. Nothing above it, and
/// nothing beside it but `loop`, calls C.
package dev.couv.host;
