package io.github.cassandralock.databases;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.JdbcSinks;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications with a database and without Cassandra on the class path, whose registers and sinks are in the database. */
final class DatabaseApplication {

    static final Codec<String> TEXT = Codec.utf8();

    /** In Spring Boot 3 and 4. */
    private static final String WITHOUT_JPA = String.join(
            ",",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration");

    private DatabaseApplication() {}

    /** What a message does. */
    interface Effect {
        void of(ListableBeanFactory beans, String text) throws Exception;
    }

    /** Its sink writes each message of the queue "in" to the outbox and runs the effect; its pump fills the queue "pumped". */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithSink {

        @Bean
        SinkDefinition notes(JdbcSinks sinks, Queues queues, Effect effect, ListableBeanFactory beans) {
            return sinks.named("notes", queues.named("in"), (transaction, message) -> {
                transaction.send(message.payloads());
                try {
                    effect.of(beans, TEXT.decode(message.payloads().get(0)));
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }

        @Bean
        PumpDefinition pump(JdbcSinks sinks, Queues queues) {
            return sinks.pump("pump", "notes", queues.named("pumped"));
        }
    }

    /** Declares a queue alone. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithQueue {

        @Bean
        MessageQueue in(Queues queues) {
            return queues.named("in");
        }
    }

    static ConfigurableApplicationContext start(
            String url,
            String user,
            boolean jpa,
            List<Class<?>> classes,
            Consumer<SpringApplicationBuilder> customizer,
            String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.datasource.url=" + url,
                "spring.datasource.username=" + user,
                "spring.datasource.password=",
                "spring.jpa.hibernate.ddl-auto=none",
                "spring.jpa.open-in-view=false",
                "spring.liquibase.enabled=false",
                "exactly-once.store=jdbc",
                "exactly-once.poll.max-interval=20ms",
                "exactly-once.retry.initial-interval=1ms"));
        if (!jpa) {
            properties.add("spring.autoconfigure.exclude=" + WITHOUT_JPA);
        }
        properties.addAll(List.of(more));
        SpringApplicationBuilder builder = new SpringApplicationBuilder(classes.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false);
        customizer.accept(builder);
        Map<String, String> last = new LinkedHashMap<>();
        properties.forEach(property -> last.put(property.substring(0, property.indexOf('=')), "--" + property));
        return builder.run(last.values().toArray(String[]::new));
    }

    static void push(ConfigurableApplicationContext application, String... texts) throws InterruptedException {
        MessageQueue queue = application.getBean(Queues.class).named("in");
        for (String text : texts) {
            queue.push(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
