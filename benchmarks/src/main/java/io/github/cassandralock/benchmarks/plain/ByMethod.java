package io.github.cassandralock.benchmarks.plain;

import com.zaxxer.hikari.HikariDataSource;
import io.github.cassandralock.exactlyonce.autoconfigure.ExactlyOnceMethodAutoConfiguration;
import io.github.cassandralock.exactlyonce.spring.ExactlyOnce;
import io.github.cassandralock.exactlyonce.spring.MessagePusher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Spring applications with a method that takes messages. Each is a copy, with a transaction manager and a lifecycle of its own. */
final class ByMethod implements Consumers {

    private static final String QUEUE = "orders";

    @Override
    public String name() {
        return "method";
    }

    /** One bean for each group: the annotation has the number. */
    abstract static class Shipping {

        private final JdbcTemplate template;
        private final CountDownLatch effects;

        Shipping(DataSource source, CountDownLatch effects) {
            this.template = new JdbcTemplate(source);
            this.effects = effects;
        }

        void ship(List<String> orders) {
            template.batchUpdate(
                    "INSERT INTO shipments (item) VALUES (?)",
                    orders.stream().map(order -> new Object[] {order}).toList());
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    orders.forEach(order -> effects.countDown());
                }
            });
        }
    }

    static final class By1 extends Shipping {
        By1(DataSource source, CountDownLatch effects) {
            super(source, effects);
        }

        @Override
        @ExactlyOnce(queue = QUEUE, maxMessages = 1)
        public void ship(List<String> orders) {
            super.ship(orders);
        }
    }

    static final class By10 extends Shipping {
        By10(DataSource source, CountDownLatch effects) {
            super(source, effects);
        }

        @Override
        @ExactlyOnce(queue = QUEUE, maxMessages = 10)
        public void ship(List<String> orders) {
            super.ship(orders);
        }
    }

    static final class By100 extends Shipping {
        By100(DataSource source, CountDownLatch effects) {
            super(source, effects);
        }

        @Override
        @ExactlyOnce(queue = QUEUE, maxMessages = 100)
        public void ship(List<String> orders) {
            super.ship(orders);
        }
    }

    private static Shipping shipping(int group, DataSource source, CountDownLatch effects) {
        return switch (group) {
            case 1 -> new By1(source, effects);
            case 10 -> new By10(source, effects);
            case 100 -> new By100(source, effects);
            default -> throw new IllegalArgumentException("A group has 1, 10 or 100 messages, not " + group);
        };
    }

    @Override
    public void fill(HikariDataSource pool, int messages) {
        try (AnnotationConfigApplicationContext pushes = application(pool)) {
            pushes.refresh();
            pushes.getBean(MessagePusher.class)
                    .pushAll(
                            QUEUE,
                            IntStream.range(0, messages)
                                    .mapToObj(message -> "order " + message)
                                    .toList());
        }
    }

    @Override
    public Running start(HikariDataSource pool, int copies, int group, int messages) {
        CountDownLatch effects = new CountDownLatch(messages);
        List<AnnotationConfigApplicationContext> applications = new ArrayList<>();
        for (int copy = 0; copy < copies; copy++) {
            AnnotationConfigApplicationContext application = application(pool);
            application.registerBean(Shipping.class, () -> shipping(group, pool, effects));
            application.refresh();
            applications.add(application);
        }
        return new Running(effects, () -> applications.forEach(AnnotationConfigApplicationContext::close));
    }

    private static AnnotationConfigApplicationContext application(HikariDataSource pool) {
        AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
        application
                .getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("plain", Map.of("exactly-once.poll.max-interval", "2ms")));
        application.registerBean(DataSource.class, () -> pool, definition -> definition.setDestroyMethodName(""));
        application.register(ExactlyOnceMethodAutoConfiguration.class);
        return application;
    }
}
