package io.github.cassandralock.databases;

import io.github.cassandralock.exactlyonce.spring.ExactlyOnce;
import io.github.cassandralock.exactlyonce.table.jdbc.MessageTableSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** An application with a method that takes messages. As a program, it ends with its standard input. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class MethodApplication {

    static final String QUEUE = "orders";

    static final String CREATE_SHIPMENTS =
            "CREATE TABLE shipments (item bigint NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY)";

    @Bean
    Shipping shipping(JdbcTemplate template) {
        return new Shipping(template);
    }

    static class Shipping {

        private final JdbcTemplate template;

        Shipping(JdbcTemplate template) {
            this.template = template;
        }

        @ExactlyOnce(queue = QUEUE)
        void ship(List<String> items) {
            items.forEach(item -> template.update("INSERT INTO shipments (item) VALUES (?)", Long.parseLong(item)));
        }
    }

    /** Messages of a process that stands still are soon free. */
    @Bean
    MessageTableSettings settings() {
        return MessageTableSettings.defaults()
                .withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(30));
    }

    /** @param arguments address of the database, its user */
    public static void main(String[] arguments) throws IOException {
        try (ConfigurableApplicationContext application = DatabaseApplication.start(
                arguments[0],
                arguments[1],
                false,
                List.of(MethodApplication.class),
                builder -> {},
                "spring.flyway.enabled=false")) {
            System.in.readAllBytes();
            application.stop();
        }
    }
}
