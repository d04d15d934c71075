package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockKeyGenerator;
import io.github.cassandralock.LockRequest;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.stereotype.Component;

/**
 * Keys that Spring's caching has as well, keys that are refused because they cannot name one lock, and generators. Catches a key
 * under which calls would share a lock, or would not, against what their author expects.
 */
class LockKeyFormsTest {

    private final AspectContext spring =
            AspectContext.of(Orders.class, ByClassAndMethod.class, Nothing.class, Shipments.class);
    private final Orders orders = spring.bean(Orders.class);

    record Order(String id, List<String> lines) {}

    @Component("byClassAndMethod")
    static class ByClassAndMethod implements LockKeyGenerator {
        @Override
        public String generate(@Nullable Object target, Method method, @Nullable Object... args) {
            String type = target == null ? "" : target.getClass().getSimpleName();
            return type + "." + method.getName() + ":" + args[0];
        }
    }

    @Component("nothing")
    static class Nothing implements LockKeyGenerator {
        @Override
        public @Nullable String generate(@Nullable Object target, Method method, @Nullable Object... args) {
            return args[0] == null ? null : " ";
        }
    }

    @DistributedLock(keyGenerator = "byClassAndMethod")
    static class Shipments {
        public void send(String id) {}
    }

    static class Orders {

        private boolean ran;

        public boolean hasRun() {
            return ran;
        }

        @DistributedLock(key = "#root.methodName + ':' + #root.args[0] + ':' + #root.targetClass.simpleName")
        public void byRoot(String id) {}

        @DistributedLock(key = "#result")
        public void byParameterNamedResult(String result) {}

        @DistributedLock(key = "#id")
        public void byNumber(int id) {}

        @DistributedLock(key = "#ids")
        public void byCollection(Object ids) {
            ran = true;
        }

        @DistributedLock(key = "{'order:' + #first, 'order:' + #second}")
        public void byTwo(String first, @Nullable String second) {
            ran = true;
        }

        @DistributedLock(key = "#{#order.lines}")
        public void byCollectionInATemplate(Order order) {
            ran = true;
        }

        @DistributedLock(keyGenerator = "${generator:byClassAndMethod}")
        public void generated(String id) {}

        @DistributedLock(keyGenerator = "nothing")
        public void unnamed(@Nullable String id) {
            ran = true;
        }
    }

    static class ByResult {
        @DistributedLock(key = "'order:' + #result.id")
        public Order save(String id) {
            return new Order(id, List.of());
        }
    }

    static class Both {
        @DistributedLock(key = "'k'", keyGenerator = "byClassAndMethod")
        public void run() {}
    }

    static class Neither {
        @DistributedLock
        public void run() {}
    }

    static class NoBean {
        @DistributedLock(keyGenerator = "missing")
        public void run() {}
    }

    static class OtherBean {
        @DistributedLock(keyGenerator = "locker")
        public void run() {}
    }

    @AfterEach
    void close() {
        spring.close();
    }

    private void assertLocked(String lockId) {
        assertThat(spring.locker().events).containsExactly("lock " + lockId, "unlock " + lockId);
    }

    private static void assertRefusedAtTheStart(Class<?> bean, String... texts) {
        assertThatThrownBy(() -> AspectContext.of(bean).close())
                .rootCause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(texts)
                .hasMessageContaining(bean.getSimpleName());
    }

    @Test
    void rootKnowsTheMethodsName() {
        orders.byRoot("7");
        assertLocked("byRoot:7:Orders");
    }

    @Test
    void parameterMayHaveTheNameResult() {
        orders.byParameterNamedResult("o-7");
        assertLocked("o-7");
    }

    @Test
    void resultOfTheMethodIsRefusedAtTheStartWithTheReason() {
        assertRefusedAtTheStart(ByResult.class, "uses #result", "before the method runs", "RemoteLocker");
    }

    @Test
    void valueThatIsNoTextIsConverted() {
        orders.byNumber(7);
        assertLocked("7");
    }

    @Test
    void collectionOfOneElementIsOneLock() {
        for (Object one : List.of(List.of("a"), Set.of("a"), new String[] {"a", "a"}, "a")) {
            orders.byCollection(one);
        }
        orders.byCollectionInATemplate(new Order("o", List.of("a")));
        assertThat(spring.locker().requests).hasSize(5).containsOnly(LockRequest.of("a"));
    }

    @Test
    void collectionsThatNameNoLocksAreRefused() {
        Map<Object, String> bad = Map.of(
                List.of(),
                "an empty collection",
                Map.of("a", 1),
                "cannot be a part of a key",
                Path.of("a", "b"),
                "cannot be a part of a key",
                "digest".getBytes(StandardCharsets.UTF_8),
                "cannot be a part of a key",
                Arrays.asList("a", null),
                "an element of #ids is null",
                new String[] {"a", " "},
                "a collection with a blank text",
                List.of("a", List.of("b")),
                "a collection with another collection");
        bad.forEach((value, what) -> assertThatThrownBy(() -> orders.byCollection(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("\"#ids\"", "Orders.byCollection", what, "not run"));
        assertThat(orders.hasRun()).isFalse();
    }

    @Test
    void elementThatConcatenatesNullIsRefused() {
        assertThatThrownBy(() -> orders.byTwo("7", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("#second", "is null", "not run");
        assertThat(orders.hasRun()).isFalse();
    }

    @Test
    void generatorNamesTheLockOfAMethodAndOfAClass() {
        orders.generated("7");
        assertLocked("Orders.generated:7");
        spring.locker().events.clear();
        spring.bean(Shipments.class).send("8");
        assertLocked("Shipments.send:8");
    }

    @Test
    void generatorThatReturnsNoNameIsRefused() {
        assertThatThrownBy(() -> orders.unnamed(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'nothing'", "Orders.unnamed", "null", "not run");
        assertThatThrownBy(() -> orders.unnamed("x")).hasMessageContaining("blank");
        assertThat(orders.hasRun()).isFalse();
    }

    @Test
    void keyAndGeneratorExcludeEachOtherAndOneIsNeeded() {
        assertRefusedAtTheStart(Both.class, "\"'k'\"", "'byClassAndMethod'", "Only one");
        assertRefusedAtTheStart(Neither.class, "no key and no keyGenerator");
    }

    @Test
    void generatorMustBeABeanOfItsType() {
        assertRefusedAtTheStart(NoBean.class, "'missing'", "LockKeyGenerator");
        assertRefusedAtTheStart(OtherBean.class, "'locker'", "LockKeyGenerator");
    }
}
