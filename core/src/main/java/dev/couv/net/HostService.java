// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// The names of an address: of its host, and of the service at its port.
public record HostService(String host, String service) {}
