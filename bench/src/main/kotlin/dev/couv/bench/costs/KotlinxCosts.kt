// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.costs

import java.util.concurrent.CountDownLatch
import java.util.concurrent.FutureTask
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.yield

/** Kotlin's: coroutines on the event loop of `runBlocking`, in the thread that calls it. Its other dispatchers of one thread are slower. */
internal class KotlinxCosts : Costs {
  override fun spawn(parties: Int, operations: Int) = runBlocking {
    for (done in 0 until operations step parties) {
      together(parties) {}
    }
  }

  override fun pause(parties: Int, operations: Int) = runBlocking {
    together(parties) { repeat(operations / parties) { yield() } }
  }

  /** A channel without a capacity is one that keeps nothing. */
  override fun channel(pairs: Int, operations: Int) = runBlocking {
    val each = operations / pairs
    together(pairs) {
      val channel = Channel<Int>()
      val sender = launch { repeat(each) { channel.send(1) } }
      repeat(each) { channel.receive() }
      sender.join()
    }
  }

  /** It is fair, as that of Couv. */
  override fun mutex(parties: Int, operations: Int) = runBlocking {
    val mutex = Mutex()
    together(parties) {
      repeat(operations / parties) {
        mutex.lock()
        yield()
        mutex.unlock()
      }
    }
  }

  override fun sleepers(count: Int, millis: Int): Costs.Sleepers {
    val asleep = CountDownLatch(count)
    val all = FutureTask {
      runBlocking {
        together(count) {
          asleep.countDown()
          delay(millis.toLong())
        }
      }
    }
    Thread.ofPlatform().start(all)
    asleep.await()
    return Costs.Sleepers { all.get() }
  }

  private suspend fun CoroutineScope.together(
    parties: Int,
    body: suspend CoroutineScope.() -> Unit,
  ) = List(parties) { launch(block = body) }.joinAll()
}
