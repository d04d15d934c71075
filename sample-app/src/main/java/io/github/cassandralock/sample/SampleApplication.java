package io.github.cassandralock.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** One instance of the bank. Any number may run against the same Cassandra. */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class SampleApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(SampleApplication.class, arguments);
    }
}
