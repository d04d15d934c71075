package io.github.cassandralock.sample;

import java.util.UUID;
import org.springframework.stereotype.Component;

/** Tells this instance from others in what it records. */
@Component
class InstanceName {

    private final String value =
            ProcessHandle.current().pid() + "-" + UUID.randomUUID().toString().substring(0, 8);

    String value() {
        return value;
    }
}
