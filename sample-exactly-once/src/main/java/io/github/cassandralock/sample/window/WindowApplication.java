package io.github.cassandralock.sample.window;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** One copy. Any number may run at the same time. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class WindowApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(WindowApplication.class, arguments);
    }
}
