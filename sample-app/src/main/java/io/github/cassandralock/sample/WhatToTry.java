package io.github.cassandralock.sample;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.context.WebServerApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Tells a newcomer what to try, with the addresses as they are. */
@Component
class WhatToTry {

    private static final Logger log = LoggerFactory.getLogger(WhatToTry.class);

    private final WebServerApplicationContext web;
    private final CqlSession session;

    WhatToTry(WebServerApplicationContext web, CqlSession session) {
        this.web = web;
        this.session = session;
    }

    @EventListener(ApplicationReadyEvent.class)
    void tell() {
        String accounts = "http://localhost:" + web.getWebServer().getPort() + "/accounts/42";
        log.info("""
                The bank is open. A second instance on the same Cassandra:
                  ./mvnw -pl sample-app -am spring-boot:run -Dspring-boot.run.arguments="--server.port=0 \
                --spring.cassandra.contact-points={}"
                Try two withdrawals of 150 from 200 at the same time (one gets 200, the other 409):
                  curl -X POST '{}/deposits?amount=200'
                  curl -i -X POST '{}/withdrawals?amount=150' & curl -i -X POST '{}/withdrawals?amount=150'; wait
                  curl {}""", contactPoints(), accounts, accounts, accounts, accounts);
    }

    private String contactPoints() {
        return session.getMetadata().getNodes().values().stream()
                .map(node -> String.valueOf(node.getEndPoint().resolve()).replaceFirst("^.*/", ""))
                .collect(Collectors.joining(","));
    }
}
