// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The one line beneath everything that is waited for.
class LineTest {
  private final Line<Person> line = new Line<>();

  @Test
  void theOldestComesFirst() {
    Person one = added(1);
    added(2);

    assertEquals(one, line.first());
    assertEquals(one, line.poll());
    assertEquals("[2]", line());
    line.poll();
    assertNull(line.poll());
    assertTrue(line.isEmpty());
  }

  @Test
  void whoLeavesTwiceLeavesOnce() {
    Person one = added(1);

    assertTrue(line.remove(one));
    assertFalse(line.remove(one));
    assertFalse(one.leaveLine());
    assertEquals(0, line.size());
  }

  @Test
  void nobodyStandsInTwoLines() {
    Person one = added(1);
    Line<Person> other = new Line<>();

    assertThrows(AssertionError.class, () -> other.add(one));
    assertFalse(other.remove(one));
    assertTrue(one.leaveLine());
    other.add(one);
    assertEquals(one, other.first());
  }

  @Test
  void somebodyCanStandInFrontOfAnother() {
    Person two = added(2);
    line.addBefore(two, new Person(1));
    line.addBefore(null, new Person(4));
    line.addBefore(line.next(two), new Person(3));

    assertEquals("[1, 2, 3, 4]", line());
  }

  @Test
  void itIsWhatAListWouldBe() {
    Random random = new Random(7);
    List<Person> model = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      if (model.isEmpty() || random.nextInt(5) < 2) {
        model.add(added(i));
      } else {
        Person leaving = model.remove(random.nextInt(model.size()));
        assertTrue(random.nextBoolean() ? leaving.leaveLine() : line.remove(leaving));
      }
      assertEquals(model.size(), line.size());
      assertEquals(model.toString(), line());
    }
  }

  private Person added(int number) {
    Person person = new Person(number);
    line.add(person);
    return person;
  }

  private String line() {
    List<Person> all = new ArrayList<>();
    for (Person at = line.first(); at != null; at = line.next(at)) {
      all.add(at);
    }
    return all.toString();
  }

  private static final class Person extends Line.Member {
    private final int number;

    Person(int number) {
      this.number = number;
    }

    @Override
    public String toString() {
      return String.valueOf(number);
    }
  }
}
