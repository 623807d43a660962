// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which `main` is run, as the launch protocol of Java 25 has it.
@Tag("loop-scheduled-engine")
class MainMethodTest {
  private static final List<String> LOG = new ArrayList<>();
  private static final IOException FAILURE = new IOException();

  @BeforeEach
  void clearLog() {
    LOG.clear();
  }

  static class Both {
    static void main() {
      LOG.add("without");
    }

    void main(String[] args) {
      LOG.add("with " + List.of(args));
    }
  }

  static class Inherited extends Both {
    @SuppressWarnings("unused")
    private void main(String[] args, int more) {}
  }

  interface Default {
    static void main(String[] args) {
      LOG.add("not inherited");
    }

    default void main() {
      LOG.add("default");
    }
  }

  static class Implements implements Default {}

  static class Private {
    @SuppressWarnings("unused")
    private static void main(String[] args) {}
  }

  static class Returns {
    static int main() {
      return 0;
    }
  }

  static class NoConstructor {
    NoConstructor(int x) {}

    void main() {}
  }

  static class Fails {
    static void main() throws IOException {
      throw FAILURE;
    }
  }

  @Test
  void prefersTheOneThatTakesTheArguments() throws Throwable {
    MainMethod.of(Both.class).invoke(List.of("x", "y"));

    assertEquals(List.of("with [x, y]"), LOG);
  }

  @Test
  void findsAnInheritedOne() throws Throwable {
    MainMethod.of(Inherited.class).invoke(List.of());
    MainMethod.of(Implements.class).invoke(List.of());

    assertEquals(List.of("with []", "default"), LOG);
  }

  @Test
  void throwsWhatItThrows() throws Throwable {
    MainMethod main = MainMethod.of(Fails.class);

    assertSame(FAILURE, assertThrows(IOException.class, () -> main.invoke(List.of())));
  }

  @Test
  void saysWhatIsMissing() {
    String none = "no main method in class ";
    assertEquals(none + Private.class.getName(), refusal(Private.class));
    assertEquals(none + Returns.class.getName(), refusal(Returns.class));
    assertEquals(
        "main of class "
            + NoConstructor.class.getName()
            + " is not static, and the class has no constructor for it without parameters",
        refusal(NoConstructor.class));
  }

  private static String refusal(Class<?> type) {
    return assertThrows(BadScript.class, () -> MainMethod.of(type)).getMessage();
  }
}
