// SPDX-License-Identifier: Apache-2.0
/// What all streams over a handle of the world have in common, whatever is at their other end: who reads, who writes, and how
/// they wait; and what all listeners have: who accepts, and the coroutines that serve what comes. Not for users, who see it as
/// members of what they hold.
package dev.couv.wire;
