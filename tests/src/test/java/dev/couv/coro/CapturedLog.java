// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// What the runtime logs while this is open, instead of on the console.
public final class CapturedLog extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("dev.couv");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  public CapturedLog() {
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  public List<LogRecord> records() {
    return List.copyOf(records);
  }

  public List<String> messages() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  @Override
  public void publish(LogRecord logged) {
    records.add(logged);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
