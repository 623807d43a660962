// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// That every numbered transition has a test which carries its number, and a row in the document
/// that names one of them.
final class TransitionNumbersTest {
  private static final List<Class<?>> TESTS =
      List.of(
          CoroutineRequestTransitionsTest.class,
          CoroutineHandleTransitionsTest.class,
          ObjectHandleTransitionsTest.class,
          ObjectRequestTransitionsTest.class);

  private static final Comparator<String> BY_LETTER_AND_NUMBER =
      Comparator.comparing((String number) -> number.charAt(0))
          .thenComparing(number -> Integer.valueOf(number.substring(1)));

  private static final Pattern TEST_NAME = Pattern.compile("([cfgory]\\d+)_\\w+");

  @Test
  void everyNumberHasATest() {
    assertEquals(46, numbers().size());
    assertEquals(numbers(), numbersOf(testNames().stream()));
  }

  @Test
  void everyNumberHasARowThatNamesATest() throws IOException {
    Pattern row = Pattern.compile("^\\| ([CFGORY]\\d+) \\|.*`([cfgory]\\d+_\\w+)`.*\\|$");
    List<MatchResult> rows =
        document().lines().flatMap(line -> row.matcher(line).results()).toList();

    assertEquals(
        rows.stream().map(match -> match.group(1).toLowerCase(Locale.ROOT)).toList(),
        rows.stream().map(match -> match.group(2).replaceAll("_.*", "")).toList());
    assertEquals(numbers(), numbersOf(rows.stream().map(match -> match.group(2))));
    assertEquals(46, rows.size());
  }

  @Test
  void everyTestThatTheDocumentNamesExists() throws IOException {
    Set<String> named =
        TEST_NAME.matcher(document()).results().map(MatchResult::group).collect(Collectors.toSet());

    named.removeAll(testNames());

    assertEquals(Set.of(), named);
  }

  private static Set<String> testNames() {
    return TESTS.stream()
        .flatMap(test -> Stream.of(test.getDeclaredMethods()))
        .filter(method -> method.isAnnotationPresent(Test.class))
        .map(Method::getName)
        .collect(Collectors.toSet());
  }

  private static Set<String> numbers() {
    return sorted(
        Stream.of(
                numbers("c", 11),
                numbers("f", 4),
                numbers("g", 3),
                numbers("o", 15),
                numbers("r", 9),
                numbers("y", 4))
            .flatMap(numbers -> numbers));
  }

  private static Stream<String> numbers(String letter, int last) {
    return IntStream.rangeClosed(1, last).mapToObj(number -> letter + number);
  }

  private static Set<String> numbersOf(Stream<String> testNames) {
    return sorted(
        testNames.flatMap(name -> TEST_NAME.matcher(name).results().map(match -> match.group(1))));
  }

  private static Set<String> sorted(Stream<String> numbers) {
    return numbers.collect(Collectors.toCollection(() -> new TreeSet<>(BY_LETTER_AND_NUMBER)));
  }

  private static String document() throws IOException {
    Path base = Path.of(System.getProperty("couv.basedir"));
    return Files.readString(base.resolve("docs/internals/states.md"));
  }
}
