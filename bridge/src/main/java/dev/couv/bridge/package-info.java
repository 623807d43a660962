// SPDX-License-Identifier: Apache-2.0
/// Couv and the interfaces that other libraries meet at: [LoopExecutor], [Flows], [ByteChannels].
package dev.couv.bridge;
