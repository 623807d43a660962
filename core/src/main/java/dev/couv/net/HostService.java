// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// The names of an address.
///
/// @param host the name of its host
/// @param service the name of the service at its port; the number if that has none
public record HostService(String host, String service) {}
