// SPDX-License-Identifier: Apache-2.0

/// More cores: loops on several threads, and bodies that run elsewhere step by step.
package dev.couv.pool;
