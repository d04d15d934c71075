package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.proxies.OwnBeanProxies;
import java.util.stream.Stream;

/** Decides which proxies Spring makes of the beans of exactly-once. */
final class ExactlyOnceBeanProxies extends OwnBeanProxies {

    ExactlyOnceBeanProxies() {
        super("exactlyOnce");
    }

    @Override
    protected boolean isOwn(Class<?> type) {
        return Stream.of(
                        "exactlyonce",
                        "internal.exactlyonce",
                        "internal.connection",
                        "internal.endpoint",
                        "internal.properties")
                .anyMatch(name -> type.getName().startsWith("io.github.cassandralock." + name + "."));
    }
}
