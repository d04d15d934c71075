package io.github.cassandralock.benchmarks.startup;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.io.OutputStream;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** An application that has what its class path brings, and nothing else. It ends when its standard input does. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class StartedApplication {

    /** What it writes when it is ready, before the number of its beans. */
    static final String READY = "READY ";

    /** Connects before the application is ready: Spring Boot creates the session when it is used. */
    @Bean
    @ConditionalOnProperty("connects")
    static ApplicationRunner read(CqlSession session) {
        return arguments -> session.execute("SELECT release_version FROM system.local");
    }

    /** @param arguments where the nodes are, and whether it connects */
    public static void main(String[] arguments) throws IOException {
        SpringApplication application = new SpringApplication(StartedApplication.class);
        ApplicationListener<ApplicationReadyEvent> listener = ready ->
                System.out.println(READY + ready.getApplicationContext().getBeanDefinitionCount());
        application.addListeners(listener);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
