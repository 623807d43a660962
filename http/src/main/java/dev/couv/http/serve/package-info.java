// SPDX-License-Identifier: Apache-2.0

/// What the connections of a server share, whichever version of HTTP they speak.
package dev.couv.http.serve;
