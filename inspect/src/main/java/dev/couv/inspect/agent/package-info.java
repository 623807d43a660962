// SPDX-License-Identifier: Apache-2.0

/// The way into a program that runs: a Java agent, which leaves nothing behind but its own class.
package dev.couv.inspect.agent;
