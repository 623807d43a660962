// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.socket;

import dev.couv.http.WebSocketOptions.Compression;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionData;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionUtil;
import java.net.ProtocolException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the two sides have agreed on: permessage-deflate (RFC 7692), or nothing.
///
/// @param compressing whether messages are compressed
/// @param serverKeeps whether what the server sends refers to messages before
/// @param clientKeeps the same of the client
public record Extension(boolean compressing, boolean serverKeeps, boolean clientKeeps) {
  /// None.
  public static final Extension NONE = new Extension(false, false, false);

  private static final String NAME = "permessage-deflate";
  private static final String SERVER_FORGETS = "server_no_context_takeover";
  private static final String CLIENT_FORGETS = "client_no_context_takeover";
  private static final String SERVER_BITS = "server_max_window_bits";
  private static final String CLIENT_BITS = "client_max_window_bits";

  // ---- the server's side

  /// The first of what a client offers that can be done, as those options want it.
  public static Extension accept(List<String> offers, Compression wanted) {
    if (wanted != Compression.NONE) {
      for (WebSocketExtensionData offer : parse(offers)) {
        Map<String, String> parameters = offer.parameters();
        if (offer.name().equalsIgnoreCase(NAME) && isPossible(parameters)) {
          boolean keeps = wanted == Compression.CONTEXT;
          return new Extension(
              true,
              keeps && !parameters.containsKey(SERVER_FORGETS),
              keeps && !parameters.containsKey(CLIENT_FORGETS));
        }
      }
    }
    return NONE;
  }

  /// A smaller window for what we send cannot be had from the JDK.
  private static boolean isPossible(Map<String, String> parameters) {
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      boolean possible =
          switch (parameter.getKey()) {
            case SERVER_FORGETS, CLIENT_FORGETS -> parameter.getValue() == null;
            case SERVER_BITS -> "15".equals(parameter.getValue());
            case CLIENT_BITS -> parameter.getValue() == null || isBits(parameter.getValue());
            default -> false;
          };
      if (!possible) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBits(String value) {
    return value.matches("[89]|1[0-5]");
  }

  /// How a server says it; null to say nothing.
  public @Nullable String answer() {
    if (!compressing) {
      return null;
    }
    return NAME
        + (serverKeeps ? "" : "; " + SERVER_FORGETS)
        + (clientKeeps ? "" : "; " + CLIENT_FORGETS);
  }

  // ---- the client's side

  /// What a client offers; null for nothing.
  public static @Nullable String offer(Compression wanted) {
    return switch (wanted) {
      case NONE -> null;
      case MESSAGES -> NAME + "; " + SERVER_FORGETS + "; " + CLIENT_FORGETS;
      case CONTEXT -> NAME;
    };
  }

  /// What a server has answered to our offer.
  ///
  /// @throws ProtocolException if it is something that was not offered
  public static Extension agreed(List<String> answers, Compression wanted)
      throws ProtocolException {
    List<WebSocketExtensionData> extensions = parse(answers);
    if (extensions.isEmpty()) {
      return NONE;
    }
    WebSocketExtensionData only = extensions.getFirst();
    Map<String, String> parameters = only.parameters();
    boolean forgets = parameters.containsKey(SERVER_FORGETS);
    boolean offered =
        wanted != Compression.NONE
            && extensions.size() == 1
            && only.name().equalsIgnoreCase(NAME)
            && (forgets || wanted == Compression.CONTEXT);
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      offered &=
          switch (parameter.getKey()) {
            case SERVER_FORGETS, CLIENT_FORGETS -> parameter.getValue() == null;
            case SERVER_BITS -> parameter.getValue() != null && isBits(parameter.getValue());
            default -> false;
          };
    }
    if (!offered) {
      throw new ProtocolException("extensions that were not offered: " + answers);
    }
    boolean clientKeeps = wanted == Compression.CONTEXT && !parameters.containsKey(CLIENT_FORGETS);
    return new Extension(true, !forgets, clientKeeps);
  }

  private static List<WebSocketExtensionData> parse(List<String> headers) {
    String all = String.join(",", headers);
    // Netty fails where there is nothing but semicolons: a blank before them is an empty name.
    return all.isBlank()
        ? List.of()
        : WebSocketExtensionUtil.extractExtensions(all.replace(";", " ;"));
  }

  /// What compresses and decompresses; null if nothing does.
  @Nullable Deflate open(boolean client) {
    return compressing
        ? new Deflate(client ? clientKeeps : serverKeeps, client ? serverKeeps : clientKeeps)
        : null;
  }
}
