// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import dev.couv.http.Headers;
import dev.couv.http.HttpVersion;

/// The head of an answer.
public record ResponseHead(int status, HttpVersion version, Headers headers) {}
