// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// The public API speaks one language.
@Tag("loop-scheduled-engine") // it does not depend on the engine
@ParameterizedClass
@ValueSource(strings = {"core", "resilience", "bridge", "metrics", "http", "cluster"})
class ApiLanguageTest {
  /// Where a type that users do not see is named all the same, and why.
  private static final Set<String> HIDDEN_TYPES_NAMED =
      Set.of(
          // A world is chosen by users and made by the runtime's own modules.
          "LoopOptions.<init>", "LoopOptions.world", "LoopOptions.withWorld");

  /// Sentences that mean the one above.
  private static final Pattern LEANS =
      Pattern.compile(
          "(Likewise|The same|Same|He is|She is|It is\\.|Also|As above|Of the first|With no"
              + " more|They|Those that are|So many|That of|The other end)\\b.*");

  private static final Pattern MEMBER = Pattern.compile("  (?:  )?(?:public|protected) .*");
  private static final Pattern IN_INTERFACE =
      Pattern.compile("  (?:default|static|<|[A-Z@]\\w*[ <\\[]|int |long |boolean |void ).*[({;]");

  private final String module;
  private final ApiDump api;

  /// Of this module and those below it.
  private final Set<String> exported;

  ApiLanguageTest(String module) throws IOException {
    this.module = module;
    api = ApiDump.of("couv.test." + module + "-jar");
    exported = new TreeSet<>(api.exported());
    exported.addAll(ApiDump.of("couv.test.core-jar").exported());
  }

  @Test
  void whatCanBeClosedTellsWhetherItIs() {
    List<String> silent =
        api.types().stream()
            .filter(AutoCloseable.class::isAssignableFrom)
            .filter(type -> Arrays.stream(type.getMethods()).noneMatch(ApiLanguageTest::tells))
            .map(Class::getName)
            .toList();

    assertEquals(List.of(), silent);
  }

  private static boolean tells(Method method) {
    return method.getName().equals("isClosed")
        && method.getParameterCount() == 0
        && method.getReturnType() == boolean.class;
  }

  @Test
  void optionsAreChangedByWith() {
    List<String> missing = new ArrayList<>();
    for (Class<?> type : api.types()) {
      if (type.isRecord() && type.getSimpleName().endsWith("Options")) {
        for (RecordComponent component : type.getRecordComponents()) {
          String name = component.getName().replaceFirst("^is(?=[A-Z])", "");
          String with = "with" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
          // By its beginning: `withShuffle` sets the `shuffleSeed`.
          String prefix = with.substring(0, Math.min(with.length(), 8));
          if (Arrays.stream(type.getMethods())
              .noneMatch(each -> each.getName().startsWith(prefix))) {
            missing.add(type.getSimpleName() + "." + with);
          }
        }
      }
    }

    assertEquals(List.of(), missing);
  }

  @Test
  void noSignatureNamesATypeThatUsersDoNotSee() {
    Set<String> leaks = new TreeSet<>();
    for (Class<?> type : api.types()) {
      Stream.concat(api.methods(type).stream(), api.constructors(type).stream())
          .filter(member -> types(member).anyMatch(this::isHidden))
          .forEach(
              member ->
                  leaks.add(
                      type.getSimpleName()
                          + "."
                          + (member instanceof Method ? member.getName() : "<init>")));
    }

    assertEquals(module.equals("core") ? HIDDEN_TYPES_NAMED : Set.of(), leaks);
  }

  private static Stream<Class<?>> types(Executable member) {
    return Stream.concat(
        Stream.of(member.getParameterTypes()),
        member instanceof Method method ? Stream.of(method.getReturnType()) : Stream.empty());
  }

  private boolean isHidden(Class<?> type) {
    Class<?> element = type.isArray() ? type.getComponentType() : type;
    return element.getName().startsWith("dev.couv.")
        && !exported.contains(element.getPackageName());
  }

  @Test
  void identitiesAndTimesHaveOneTypeEach() {
    List<String> others = new ArrayList<>();
    for (Class<?> type : api.types()) {
      for (Method method : api.methods(type)) {
        String name = method.getName();
        if (name.matches(".*(Millis|Nanos|Seconds)") && !type.getName().endsWith("TimeSource")) {
          others.add(type.getSimpleName() + "." + name);
        }
        if (name.matches("uid|gid")
            && method.getParameterCount() == 0
            && method.getReturnType() != long.class
            && !method.getReturnType().getSimpleName().startsWith("Optional")) {
          others.add(type.getSimpleName() + "." + name + " is " + method.getReturnType());
        }
      }
    }

    assertEquals(List.of(), others);
  }

  @Test
  void whatIsOpenedIsToBeClosed() {
    List<String> wrong = new ArrayList<>();
    for (Class<?> type : api.types()) {
      for (Method method : api.methods(type)) {
        if (Modifier.isStatic(method.getModifiers())
            && method.getName().equals("open")
            && !AutoCloseable.class.isAssignableFrom(method.getReturnType())) {
          wrong.add(type.getSimpleName() + "." + method.getName());
        }
      }
    }

    assertEquals(List.of(), wrong);
  }

  @Test
  void everyMemberHasASentenceThatStandsByItself() throws IOException {
    List<String> wrong = new ArrayList<>();
    Path sources = Path.of(System.getProperty("couv.basedir"), module, "src/main/java");
    for (String name : api.exported()) {
      try (Stream<Path> files = Files.list(sources.resolve(name.replace('.', '/')))) {
        for (Path file :
            files
                .filter(each -> each.toString().endsWith(".java"))
                .filter(each -> !each.endsWith("package-info.java"))
                .sorted()
                .toList()) {
          wrong.addAll(wrong(file.getFileName().toString(), Files.readAllLines(file)));
        }
      }
    }

    assertEquals(List.of(), wrong);
  }

  @Test
  void aMemberWithoutASentenceIsFound() {
    assertEquals(
        List.of("T.java: public void a() {}", "T.java leans: Likewise."),
        wrong(
            "T.java",
            List.of(
                "/// A type.",
                "public final class T {",
                "  public void a() {}",
                "",
                "  /// Likewise.",
                "  public void b() {}",
                "",
                "  @Override",
                "  public void c() {}",
                "}")));
  }

  private static List<String> wrong(String name, List<String> lines) {
    List<String> wrong = new ArrayList<>();
    boolean isPublic = lines.stream().anyMatch(line -> line.startsWith("public "));
    boolean isInterface =
        lines.stream().anyMatch(line -> line.matches("public (\\w+-?\\w* )*interface .*"));
    for (int i = 0; isPublic && i < lines.size(); i++) {
      String line = lines.get(i);
      if (!MEMBER.matcher(line).matches()
          && !(isInterface && IN_INTERFACE.matcher(line).matches() && !line.startsWith("    "))) {
        continue;
      }
      int above = i - 1;
      while (isAnnotation(lines.get(above).strip())) {
        above--;
      }
      List<String> annotations = lines.subList(above + 1, i);
      if (annotations.stream().anyMatch(each -> each.contains("@Override"))) {
        continue;
      }
      int first = above + 1;
      while (lines.get(first - 1).strip().startsWith("///")) {
        first--;
      }
      if (first > above) {
        wrong.add(name + ": " + line.strip());
      } else {
        String sentence = lines.get(first).strip().substring(3).strip();
        if (LEANS.matcher(sentence).matches()) {
          wrong.add(name + " leans: " + sentence);
        }
      }
    }
    return wrong;
  }

  /// An annotation, or a line of one that goes over several.
  private static boolean isAnnotation(String line) {
    return line.startsWith("@") || line.startsWith("\"") || line.startsWith("})");
  }
}
