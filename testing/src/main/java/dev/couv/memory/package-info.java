// SPDX-License-Identifier: Apache-2.0
/// A world in memory: machines with a network between them, behind the interfaces of [dev.couv.world]. One thread has
/// all of it: the loops of its machines take turns there, and whatever happens outside of them is an event of an [Agenda].
@org.jspecify.annotations.NullMarked
package dev.couv.memory;
