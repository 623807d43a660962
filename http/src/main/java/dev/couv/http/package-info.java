// SPDX-License-Identifier: Apache-2.0

/// Servers for HTTP: what comes, what is answered, and by whom.
package dev.couv.http;
