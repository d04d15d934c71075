package io.github.cassandralock.sample;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Stands for the service that really sends messages. */
@Component
final class SmsGateway {

    private static final Logger log = LoggerFactory.getLogger(SmsGateway.class);

    void send(WelcomeMessage message) {
        log.info("SMS to {}: welcome to the bank!", message.account());
    }
}
