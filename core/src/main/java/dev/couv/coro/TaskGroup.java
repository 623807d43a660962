// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.StackRoom;
import dev.couv.strand.Outcomes;
import dev.couv.strand.Strand;
import dev.couv.strand.StrandState;
import dev.couv.strand.Suspension;
import dev.couv.strand.Until;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Tasks whose results belong together, a limited number of them at a time.
///
/// ```
/// try (var pages = TaskGroup.<String>open().limit(4)) {
///   for (var url : urls) pages.spawn(() -> fetch(url));
///   return pages.all();
/// }
/// ```
///
/// A task that fails disturbs nobody, until somebody asks for what it left: [#all], [#any], [#race],
/// an iteration, [#failures], or whoever awaits its coroutine. A failure that nobody asked for is
/// thrown when the group is closed.
///
/// Like a scope, a group is not left while one of its tasks runs; and when an exception leaves it, they
/// are cancelled first.
///
/// It keeps the outcomes, except those that an iteration has handed out: these are whoever's took them. So
/// any number of tasks can go through a group whose outcomes are iterated.
@SuppressWarnings("try") // closing waits, and throws what failed, an interruption included
public final class TaskGroup<T extends @Nullable Object>
    implements AutoCloseable, Iterable<Outcome<T>> {
  private final Strand owner;
  private final Block block;
  private final Scope scope;
  private final TaskQueue queue = new TaskQueue();
  private final Until until = new Until();

  /// Before the first outcome that no iteration has handed out, and the latest.
  private EndedTask<T> first = EndedTask.none();

  private EndedTask<T> last = first;

  /// Also those that were not spawned after all: the numbers tell the order.
  private long numbers;

  private long spawned;

  /// Those that have not ended, queued ones included.
  private final IdentityHashMap<Strand, Task<T>> running = new IdentityHashMap<>();

  /// Those that give the group its tasks, one by one.
  private final IdentityHashMap<Strand, Task<T>> producers = new IdentityHashMap<>(0);

  private TaskGroup(Strand owner) {
    this.owner = owner;
    StackRoom.toOpen();
    block = Block.opened(owner, OnFailure.KEEP, false);
    block.memberEnded(this::ended); // it takes the failures of its tasks itself
    scope = Scope.of(block).onEnd(this::throwUnseen);
  }

  /// A group inside the calling coroutine's scope, without a limit.
  public static <T extends @Nullable Object> TaskGroup<T> open() {
    return new TaskGroup<>(Strand.current("TaskGroup.open"));
  }

  /// No more than that many tasks run at a time; the others wait in the order they were spawned.
  /// Returns the group.
  public TaskGroup<T> limit(int most) {
    block.checkInside();
    if (most < 1) {
      throw new IllegalArgumentException("a limit of " + most);
    }
    queue.limit(most);
    return this;
  }

  /// No more than that many tasks wait; whoever spawns another waits itself, until there is a place:
  /// twice the limit unless said otherwise. Returns the group.
  public TaskGroup<T> queue(int most) {
    block.checkInside();
    if (most < 0) {
      throw new IllegalArgumentException("a queue of " + most);
    }
    queue.capacity(most);
    return this;
  }

  // ---- spawning

  /// Runs the body as a task of the group. Waits while the queue is full, except in a task of this group: that
  /// would wait for itself. If that wait is cancelled, the task is not spawned.
  public Coroutine<T> spawn(Body<T> body) {
    return spawn(body, isInside());
  }

  private Coroutine<T> spawn(Body<T> body, boolean inside) {
    block.checkOpen();
    Task<T> task = new Task<>(new Coroutine<>(block, body, body), numbers++);
    spawned++;
    running.put(task.coroutine.strand(), task);
    try {
      place(task, inside);
    } finally {
      if (!task.isEntered()) {
        spawned--;
        running.remove(task.coroutine.strand());
        until.changed();
      }
    }
    return task.coroutine;
  }

  private void place(Task<T> task, boolean inside) {
    if (!queue.offer(task)) {
      if (inside) {
        queue.push(task);
      } else {
        Suspension.await(queue.admission(task));
      }
    }
  }

  /// Like [#spawn(Body)], without a result.
  public Coroutine<T> spawn(Action body) {
    return spawn(nothing(body));
  }

  @SuppressWarnings("unchecked") // a body without a result has only null to return
  private static <T extends @Nullable Object> Body<T> nothing(Action body) {
    return (Body<T>) Body.of(body);
  }

  /// Spawns tasks as there is place for them: a coroutine of the group takes each from the iterator
  /// only then. So there may be any number of them, and making one may wait. What the iterator throws
  /// is a failure of the group. Returns the group, at once.
  public TaskGroup<T> spawnAll(Iterable<? extends Body<T>> bodies) {
    Objects.requireNonNull(bodies, "bodies");
    block.checkOpen();
    Task<T> producer =
        new Task<>(new Coroutine<>(block, nothing(() -> produce(bodies)), bodies), numbers);
    producers.put(producer.coroutine.strand(), producer);
    producer.coroutine.named("tasks of " + owner.name());
    producer.start();
    return this;
  }

  private void produce(Iterable<? extends Body<T>> bodies) {
    for (Body<T> body : bodies) {
      spawn(body, false);
      // There is always a place in a group without a limit, or one that is cancelled.
      Suspension.pass("TaskGroup.spawnAll");
    }
  }

  // ---- what comes of it

  /// Waits for all tasks: their results, in the order they were spawned. The first that has none cancels
  /// the others, and its failure is thrown when they have ended, later ones suppressed in it. What was
  /// iterated before the call does not count.
  public List<T> all() throws Exception {
    block.checkNotInside("TaskGroup.all");
    EndedTask<T> start = first;
    EndedTask.Search<T> loss = start.search(task -> !task.outcome().isValue());
    until.await(() -> loss.isFound() || isIdle(), "all tasks of a group");
    if (loss.isFound()) {
      cancelAndWait();
      throw Outcomes.rethrow(seenFailure(loss.found(), start));
    }
    return results(start);
  }

  /// Waits for the first task that succeeds: its result. The others are cancelled and waited for. What was
  /// iterated before the call does not count.
  ///
  /// @throws CompositeException if all failed
  /// @throws IllegalStateException if there are no tasks
  public T any() throws Exception {
    checkNotEmpty("any");
    EndedTask<T> start = first;
    EndedTask.Search<T> value = start.search(task -> task.outcome().isValue());
    until.await(() -> value.isFound() || isIdle(), "any task of a group");
    List<Task<T>> ended = start.later();
    if (value.isFound()) {
      cancelAndWait();
      start.later().forEach(Task::see);
      return value.found().outcome().get();
    }
    checkAny(ended, "any");
    ended.forEach(Task::see);
    throw new CompositeException(
        "none of " + ended.size() + " tasks succeeded", ended.stream().map(Task::failure).toList());
  }

  /// Waits for the first task that ends: its result, or its failure thrown. The others are cancelled and
  /// waited for. What was iterated before the call does not count.
  ///
  /// @throws IllegalStateException if there are no tasks
  public T race() throws Exception {
    checkNotEmpty("race");
    EndedTask<T> start = first;
    until.await(() -> start.next() != null || isIdle(), "the first task of a group");
    List<Task<T>> ended = start.later();
    checkAny(ended, "race");
    cancelAndWait();
    start.later().forEach(Task::see);
    return ended.getFirst().outcome().get();
  }

  /// The results so far, in the order their tasks were spawned, without those that were iterated.
  public List<T> results() {
    block.checkInside();
    return results(first);
  }

  private static <T extends @Nullable Object> List<T> results(EndedTask<T> start) {
    List<T> values = new ArrayList<>();
    start.later().stream()
        .sorted(Comparator.comparingLong(task -> task.number))
        .forEach(
            task -> {
              if (task.outcome() instanceof Outcome.Value<T>(var value)) {
                values.add(value);
              }
            });
    return values;
  }

  /// The failures so far, in the order they happened, without those that were iterated; cancelled tasks
  /// have not failed.
  public List<Throwable> failures() {
    block.checkInside();
    return first.later().stream()
        .filter(Task::isFailed)
        .peek(Task::see)
        .map(Task::failure)
        .toList();
  }

  /// What became of the tasks, as they end. Waits for the next; is over when no task is left that has
  /// not been handed out. The group lets go of what was handed out: a later iterator begins behind it, one
  /// that is there already comes to it all the same.
  @Override
  public Iterator<Outcome<T>> iterator() {
    block.checkNotInside("TaskGroup.iterator");
    return new AsTheyEnd();
  }

  private final class AsTheyEnd implements Iterator<Outcome<T>> {
    private EndedTask<T> at = first;

    @Override
    public boolean hasNext() {
      until.await(() -> at.next() != null || isIdle(), "the next task of a group to end");
      return at.next() != null;
    }

    @Override
    public Outcome<T> next() {
      EndedTask<T> next = hasNext() ? at.next() : null;
      if (next == null) {
        throw new NoSuchElementException("every task of the group was handed out");
      }
      at = next;
      first = first.orLater(next);
      next.task().see();
      return next.task().outcome();
    }
  }

  // ---- the end

  /// Cancels the tasks that run; those that wait never begin.
  public void cancel() {
    block.checkInside();
    block.cancel("its group was cancelled");
    queue.limit(Integer.MAX_VALUE); // whoever still gets a place only ends
  }

  /// Whether its tasks were told to stop.
  public boolean isCancelled() {
    return scope.isCancelled();
  }

  /// Whether no task runs, or waits to, at the moment.
  public boolean isFinished() {
    return isIdle();
  }

  /// Whether it was closed: nothing can be spawned in it any more.
  public boolean isClosed() {
    return scope.isClosed();
  }

  /// How many tasks were spawned.
  public int size() {
    return (int) Math.min(spawned, Integer.MAX_VALUE);
  }

  /// How many of them run, or wait to, at the moment.
  public int pending() {
    return running.size();
  }

  /// Waits for the tasks, and throws the first failure that nobody has asked for, the others suppressed
  /// in it. If an exception is leaving the group's try block, or the caller is cancelled, so are the
  /// tasks, and the wait goes on until they have ended.
  @Override
  public void close() throws Exception {
    scope.close();
  }

  @Override
  public String toString() {
    return "a group of " + size() + " tasks";
  }

  // ---- the pieces

  /// On the thread of the task that has just ended.
  private void ended(Strand strand) {
    Task<T> task = running.remove(strand);
    Task<T> producer = task == null ? producers.remove(strand) : null;
    if (task != null) {
      keep(task);
      queue.ended(task);
    } else if (producer != null && strand.status() == StrandState.FAILED) {
      keep(producer); // no task, but a failure like theirs
    }
    until.changed();
  }

  private void keep(Task<T> task) {
    task.ended();
    last = last.append(task);
  }

  private boolean isIdle() {
    return queue.isIdle() && producers.isEmpty();
  }

  private void cancelAndWait() {
    cancel();
    until.await(this::isIdle, "the end of a group");
  }

  /// With the failures of the others, which are thereby seen.
  private static <T extends @Nullable Object> Throwable seenFailure(
      Task<T> loss, EndedTask<T> start) {
    Throwable thrown = loss.failure();
    for (Task<T> task : start.later()) {
      if (task != loss && task.isFailed() && !task.isSeen()) {
        Outcomes.suppress(thrown, task.failure());
      }
      task.see();
    }
    return thrown;
  }

  private void throwUnseen() throws Exception {
    for (Task<T> task : first.later()) {
      if (task.isFailed() && !task.isSeen()) {
        throw Outcomes.rethrow(seenFailure(task, first));
      }
    }
  }

  private boolean isInside() {
    Strand current = Strand.currentOrNull();
    return current != null && block.nesting.has(current);
  }

  private void checkNotEmpty(String call) {
    block.checkNotInside("TaskGroup." + call);
    if (isIdle()) {
      checkAny(first.later(), call);
    }
  }

  private static void checkAny(List<?> ended, String call) {
    if (ended.isEmpty()) {
      throw new IllegalStateException("TaskGroup." + call + ": there are no tasks");
    }
  }
}
