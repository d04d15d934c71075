package io.github.cassandralock.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Starts the bank; without {@code spring.cassandra.contact-points} on a Cassandra node of its own. */
@SpringBootApplication
@EnableScheduling
public class BankApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(BankApplication.class, arguments);
    }
}
