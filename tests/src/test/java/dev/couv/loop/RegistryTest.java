// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.uv.Memory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class RegistryTest {
  private final Registry registry = new Registry();

  @Test
  void anIndexLeadsToTheOwnerOfItsBlock() {
    withBlocks(
        200,
        blocks -> {
          List<Owner> owners = new ArrayList<>();
          for (NativeBlock block : blocks) {
            Owner owner = new Owner();
            owners.add(owner);
            block.own(owner);
          }

          for (int i = 0; i < blocks.size(); i++) {
            assertSame(owners.get(i), registry.owner(blocks.get(i).index()));
          }
          assertEquals(owners, registry.owners());
        });
  }

  @Test
  void theDataWordOfABlockHoldsItsIndex() {
    withBlocks(
        3,
        blocks -> {
          NativeBlock block = blocks.get(2);

          block.own(new Owner());

          assertEquals(block.index(), (int) Memory.getLong(block.address));
        });
  }

  @Test
  void indexesAreUsedAgain() {
    Set<Integer> first = new HashSet<>();
    withBlocks(100, blocks -> blocks.forEach(block -> first.add(block.index())));
    Set<Integer> second = new HashSet<>();
    withBlocks(100, blocks -> blocks.forEach(block -> second.add(block.index())));

    assertEquals(100, first.size());
    assertEquals(first, second);
  }

  @Test
  void aCallbackForABlockWithoutAnOwnerIsABug() {
    withBlocks(
        1,
        blocks -> {
          NativeBlock block = blocks.getFirst();
          assertThrows(AssertionError.class, () -> registry.owner(block.index()));
          block.own(new Owner());
          block.take();
          block.giveBack();

          AssertionError thrown =
              assertThrows(AssertionError.class, () -> registry.owner(block.index()));
          assertEquals(
              "a callback for memory that nobody owns: index " + block.index(),
              thrown.getMessage());
        });
  }

  @Test
  void aBlockHasOneOwnerAtATime() {
    withBlocks(
        1,
        blocks -> {
          NativeBlock block = blocks.getFirst();
          Owner owner = new Owner();
          block.own(owner);

          assertThrows(AssertionError.class, () -> block.own(new Owner()));
          assertSame(owner, block.owner());
        });
  }

  private void withBlocks(int count, Consumer<List<NativeBlock>> test) {
    List<NativeBlock> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long key = registry.reserve();
      NativeBlock block = new NativeBlock(Memory.malloc(64), 64, key);
      registry.put(block);
      blocks.add(block);
    }
    try {
      test.accept(blocks);
    } finally {
      for (NativeBlock block : blocks) {
        registry.remove(block);
        Memory.free(block.address);
      }
    }
  }

  private static final class Owner extends NativeOwner {
    @Override
    protected void loopEnds() {}
  }
}
