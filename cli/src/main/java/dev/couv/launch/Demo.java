// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.util.Iterator;
import java.util.List;

/// A program that shows something: `examples/NAME.java`, what it shows in one sentence, and the arguments it is run with
/// if none are given. To add one, add a line.
record Demo(String name, String shows, List<String> arguments) {
  static final List<Demo> ALL =
      List.of(
          of("tour", "Couv in three stops, in a minute."),
          of("fanout", "Twelve requests, never more than three at a time."),
          of("jobs", "Shell commands, some at a time, each with a time limit."),
          of("limiter", "A rate limiter: bursts of three, then ten a second."),
          of("mirrors", "The first answer of three mirrors."),
          of(
              "philosophers",
              "Dining philosophers, with manners and without: who starves is found."),
          of("pipeline", "Stages with a pool each, and channels that hold back who is too fast."),
          of("workers", "A tree of workers whose supervisors start them again."),
          of("histogram", "Random bytes counted on all cores, gathered through a channel."),
          of("mandelbrot", "The Mandelbrot set on all cores, as a PNG, with a progress bar."),
          of("keys", "What every key sends, until q."),
          of("top", "What the machine is doing, drawn anew every second, until q."),
          of("echo", "An echo server, to talk to with nc."),
          of("cores", "An echo server on all cores."),
          of("chat", "A chat server: join with nc, twice."),
          of("webchat", "A chat for browsers: open the page, twice."),
          of("redis", "A server that speaks the protocol of Redis."),
          of("timeservice", "Tells the time by datagrams."),
          of(
              "cluster",
              "A job mapped over three worker processes by NATS; one is killed, nothing is lost."));

  private static Demo of(String name, String shows, String... arguments) {
    return new Demo(name, shows, List.of(arguments));
  }

  /// For the completion of shells.
  static final class Names implements Iterable<String> {
    /// For picocli.
    Names() {}

    @Override
    public Iterator<String> iterator() {
      return ALL.stream().map(Demo::name).iterator();
    }
  }
}
