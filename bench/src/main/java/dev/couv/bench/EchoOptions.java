// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// What `bench/echo` was asked for.
record EchoOptions(
    String commandLine,
    Path bin,
    List<EchoPeer> peers,
    List<EchoCase> cases,
    int batches,
    int rounds,
    long millis,
    long warmUpMessages,
    int serverCore,
    int loadCore) {

  static EchoOptions parse(String... args) {
    Path bin = Path.of("");
    List<EchoPeer> peers = List.of(EchoPeer.values());
    List<EchoCase> cases = cases("50x64,1000x1024,50x16384");
    int batches = 1;
    int rounds = 5;
    long millis = 1000;
    long warmUpMessages = 300_000;
    int serverCore = 0;
    int loadCore = 1;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--bin" -> bin = Path.of(value(args, ++i));
        case "--long" -> {
          batches = 3;
          rounds = 7;
          warmUpMessages = 500_000;
        }
        case "--peers" -> peers = peers(value(args, ++i));
        case "--cases" -> cases = cases(value(args, ++i));
        case "--batches" -> batches = Integer.parseInt(value(args, ++i));
        case "--rounds" -> rounds = Integer.parseInt(value(args, ++i));
        case "--millis" -> millis = Long.parseLong(value(args, ++i));
        case "--warm-up" -> warmUpMessages = Long.parseLong(value(args, ++i));
        case "--server-core" -> serverCore = Integer.parseInt(value(args, ++i));
        case "--load-core" -> loadCore = Integer.parseInt(value(args, ++i));
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    return new EchoOptions(
        commandLine(args),
        bin,
        peers,
        cases,
        batches,
        rounds,
        millis,
        warmUpMessages,
        serverCore,
        loadCore);
  }

  private static String value(String[] args, int index) {
    if (index == args.length) {
      throw new IllegalArgumentException(args[index - 1] + " needs a value");
    }
    return args[index];
  }

  private static List<EchoPeer> peers(String labels) {
    return Arrays.stream(labels.split(",", -1)).map(EchoPeer::parse).toList();
  }

  private static List<EchoCase> cases(String list) {
    return Arrays.stream(list.split(",", -1)).map(EchoCase::parse).toList();
  }

  /// As the user typed it: without the option that the script adds in front.
  private static String commandLine(String... args) {
    Stream<String> own =
        Arrays.stream(args).skip(args.length > 0 && args[0].equals("--bin") ? 2 : 0);
    return String.join(" ", Stream.concat(Stream.of("bench/echo"), own).toList());
  }
}
