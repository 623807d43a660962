// SPDX-License-Identifier: Apache-2.0

/// The machine and this process: processors, memory, load, network interfaces, users; and random bytes.
package dev.couv.info;
