package io.github.cassandralock.sample;

import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.cassandra.CassandraConnectionDetails;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Says, once the bank is open, what to type next. */
@Component
final class WhatToTry {

    private static final Logger log = LoggerFactory.getLogger(WhatToTry.class);

    private static final String LINES = """
            The bank is open on port {port}. Two withdrawals at once, of which one must fail:

              curl -sw '\\n' -X POST '{url}/accounts/alice/deposits?amount=200'
              curl -sw '\\n' -X POST '{url}/accounts/alice/withdrawals?amount=150' & \
            curl -sw '\\n' -X POST '{url}/accounts/alice/withdrawals?amount=150' & wait
              curl -sw '\\n' {url}/accounts/alice

            Two transfers at once, in opposite directions, of which both succeed:

              curl -sw '\\n' -X POST '{url}/accounts/bob/deposits?amount=200'
              curl -sw '\\n' -X POST '{url}/accounts/alice/transfers/bob?amount=30' & \
            curl -sw '\\n' -X POST '{url}/accounts/bob/transfers/alice?amount=10' & wait

            An SMS once, a job on one instance only, and health:

              curl -sw '\\n' -X POST {url}/accounts/alice/notifications
              curl -sw '\\n' {url}/closings
              curl -sw '\\n' {url}/actuator/health

            A second instance against the same Cassandra (send it one of the two withdrawals or transfers):

              {second}
            """;

    private final CassandraConnectionDetails cassandra;
    private final Instance instance;

    WhatToTry(CassandraConnectionDetails cassandra, Instance instance) {
        this.cassandra = cassandra;
        this.instance = instance;
    }

    @EventListener(ApplicationReadyEvent.class)
    void say() {
        log.info(LINES.replace("{url}", "http://localhost:{port}")
                .replace("{port}", String.valueOf(instance.port()))
                .replace("{second}", secondInstance())
                .stripTrailing());
    }

    private String secondInstance() {
        String arguments = "--server.port=0 --spring.cassandra.contact-points=" + contactPoints()
                + " --spring.cassandra.local-datacenter=" + cassandra.getLocalDatacenter();
        Path jar = jar();
        return jar == null
                ? "./mvnw -T1 -pl sample-app -am spring-boot:run -Dspring-boot.run.arguments=\"" + arguments + "\""
                : "java -jar " + jar + " " + arguments;
    }

    private String contactPoints() {
        return cassandra.getContactPoints().stream()
                .map(node -> node.host() + ":" + node.port())
                .collect(Collectors.joining(","));
    }

    /** The jar this runs from, as one would type it here; null if it runs from classes. */
    private static @Nullable Path jar() {
        var source = new ApplicationHome(SampleApplication.class).getSource();
        if (source == null || !source.isFile()) {
            return null;
        }
        Path jar = source.toPath().toAbsolutePath();
        Path here = Path.of("").toAbsolutePath();
        return jar.startsWith(here) ? here.relativize(jar) : jar;
    }
}
