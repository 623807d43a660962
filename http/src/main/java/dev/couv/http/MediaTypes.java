// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/// What a file is, by its name.
final class MediaTypes {
  private static final String UTF_8 = "; charset=utf-8";

  private static final Map<String, String> BY_ENDING =
      Map.ofEntries(
          Map.entry("avif", "image/avif"),
          Map.entry("css", "text/css" + UTF_8),
          Map.entry("csv", "text/csv" + UTF_8),
          Map.entry("gif", "image/gif"),
          Map.entry("gz", "application/gzip"),
          Map.entry("htm", "text/html" + UTF_8),
          Map.entry("html", "text/html" + UTF_8),
          Map.entry("ico", "image/x-icon"),
          Map.entry("jpeg", "image/jpeg"),
          Map.entry("jpg", "image/jpeg"),
          Map.entry("js", "text/javascript" + UTF_8),
          Map.entry("json", "application/json"),
          Map.entry("map", "application/json"),
          Map.entry("md", "text/markdown" + UTF_8),
          Map.entry("mjs", "text/javascript" + UTF_8),
          Map.entry("mp3", "audio/mpeg"),
          Map.entry("mp4", "video/mp4"),
          Map.entry("ogg", "audio/ogg"),
          Map.entry("otf", "font/otf"),
          Map.entry("pdf", "application/pdf"),
          Map.entry("png", "image/png"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("ttf", "font/ttf"),
          Map.entry("txt", "text/plain" + UTF_8),
          Map.entry("wasm", "application/wasm"),
          Map.entry("wav", "audio/wav"),
          Map.entry("webm", "video/webm"),
          Map.entry("webp", "image/webp"),
          Map.entry("woff", "font/woff"),
          Map.entry("woff2", "font/woff2"),
          Map.entry("xml", "application/xml"),
          Map.entry("zip", "application/zip"));

  private MediaTypes() {}

  static String of(Path file) {
    String name = String.valueOf(file.getFileName());
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return BY_ENDING.getOrDefault(ending, "application/octet-stream");
  }
}
