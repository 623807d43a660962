// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Threads for what no loop's thread may do: they come when there is work, and go when there has been none for a while.
public final class SpareThreads {
  private SpareThreads() {}

  /// At most so many, which do not keep the program alive.
  public static ThreadPoolExecutor of(int most, long idleSeconds, Thread.Builder named) {
    ThreadFactory factory = named.factory();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most, most, idleSeconds, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
