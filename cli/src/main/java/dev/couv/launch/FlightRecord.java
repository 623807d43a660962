// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/// The JDK's flight recorder for one run: what it records of any program, and all that Couv tells of coroutines.
/// Written when the process ends, however it does, unless it is killed.
final class FlightRecord {
  private static final List<String> EVENTS =
      List.of(
          "dev.couv.CoroutineStart",
          "dev.couv.CoroutineEnd",
          "dev.couv.CoroutineAwait",
          "dev.couv.LongTurn");

  private FlightRecord() {}

  static void start(Path file) throws BadScript {
    try {
      OutputFile.requireWritable(file);
      Recording recording = new Recording(Configuration.getConfiguration("default"));
      EVENTS.forEach(recording::enable);
      recording.setName("couv");
      recording.setDestination(file.toAbsolutePath());
      recording.setDumpOnExit(true);
      recording.start();
    } catch (IOException | ParseException refused) {
      throw new BadScript("cannot record in " + file + ": " + refused.getMessage());
    }
  }
}
