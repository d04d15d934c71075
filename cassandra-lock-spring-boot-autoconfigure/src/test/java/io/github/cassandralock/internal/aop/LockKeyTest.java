package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.DistributedLock;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.stereotype.Component;

class LockKeyTest {

    private final AspectContext spring = AspectContext.of(true, Map.of("tenant", "acme"), Orders.class, Tenants.class);
    private final Orders orders = spring.bean(Orders.class);

    /** Named by {@code @tenants} in a key. */
    @Component("tenants")
    static class Tenants {
        public String current() {
            return "blue";
        }
    }

    record Order(@Nullable String id) {}

    static class Orders {

        private boolean ran;

        public boolean hasRun() {
            return ran;
        }

        public String getRegion() {
            return "north";
        }

        @DistributedLock(key = "'account:' + #id")
        public void byName(long id) {}

        @DistributedLock(key = "'order:' + #order.id")
        public void byPartOfAKey(Order order) {}

        @DistributedLock(key = "order:#{#order.id}")
        public void byPartOfATemplate(Order order) {}

        @DistributedLock(key = "#order.id")
        public void byProperty(Order order) {}

        @DistributedLock(key = "#a0 + '-' + #p1")
        public void byPosition(String first, int second) {}

        @DistributedLock(key = "sms:#{#phone}")
        public void byTemplate(String phone) {}

        @DistributedLock(key = "'${tenant}:' + #id")
        public void byPlaceholder(String id) {}

        @DistributedLock(key = "#root.target.region + ':' + #root.method.name + ':' + #root.args[0]")
        public void byRoot(String id) {}

        @DistributedLock(key = "@tenants.current()")
        public void byBean() {}

        @DistributedLock(key = "#id")
        public void plain(@Nullable String id) {
            ran = true;
        }

        @DistributedLock(key = "#order")
        public void byObject(Order order) {
            ran = true;
        }

        @DistributedLock(key = "T(io.github.cassandralock.LockPath).of('orders', #part)")
        public void byPath(String part) {
            ran = true;
        }

        @DistributedLock(key = "#order.id.length()")
        public void failing(@Nullable Order order) {
            ran = true;
        }
    }

    @AfterEach
    void close() {
        spring.close();
    }

    private void assertLocked(String lockId) {
        assertThat(spring.locker().events).containsExactly("lock " + lockId, "unlock " + lockId);
    }

    @Test
    void readsParametersByTheirRealNames() {
        orders.byName(42);
        assertLocked("account:42");
    }

    @Test
    void readsPropertiesOfParameters() {
        orders.byProperty(new Order("o-7"));
        assertLocked("o-7");
    }

    @Test
    void readsParametersByPosition() {
        orders.byPosition("x", 3);
        assertLocked("x-3");
    }

    @Test
    void readsTemplates() {
        orders.byTemplate("+49 30");
        assertLocked("sms:+49 30");
    }

    @Test
    void resolvesPlaceholders() {
        orders.byPlaceholder("9");
        assertLocked("acme:9");
    }

    @Test
    void readsTheRootObject() {
        orders.byRoot("5");
        assertLocked("north:byRoot:5");
    }

    @Test
    void asksBeans() {
        orders.byBean();
        assertLocked("blue");
    }

    @Test
    void aNullOrBlankKeyNamesMethodAndExpressionAndRunsNothing() {
        for (String id : new @Nullable String[] {null, " "}) {
            assertThatThrownBy(() -> orders.plain(id))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("#id")
                    .hasMessageContaining("Orders.plain");
        }
        assertThat(orders.hasRun()).isFalse();
        assertThat(spring.locker().events).isEmpty();
    }

    @Test
    void aFailingKeyNamesMethodAndExpressionAndRunsNothing() {
        assertThatThrownBy(() -> orders.failing(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#order.id.length()")
                .hasMessageContaining("Orders.failing");
        assertThat(orders.hasRun()).isFalse();
    }

    @Test
    void keyWhoseMethodCallFailsNamesMethodAndExpressionAndWhy() {
        assertThatThrownBy(() -> orders.byPath(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "LockPath).of('orders', #part)", "Orders.byPath", "after 'orders'", "is blank");
        assertThat(orders.hasRun()).isFalse();
    }

    @Test
    void recordWithOneComponentIsThatComponent() {
        orders.byObject(new Order("o-7"));
        assertLocked("o-7");
    }

    /** All calls without an id would share one lock, whose name ends in "null". */
    @Test
    void aKeyThatIsPutTogetherFromNullFailsTheCall() {
        Order withoutId = new Order(null);
        assertThatThrownBy(() -> orders.byPartOfAKey(withoutId))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("byPartOfAKey", "#order.id", "null");
        assertThatThrownBy(() -> orders.byPartOfATemplate(withoutId))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("byPartOfATemplate", "#order.id", "null");
        orders.byPartOfAKey(new Order("7"));
    }
}
