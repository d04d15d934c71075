package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.internal.proxies.OwnBeanProxies;

/** Decides which proxies Spring makes of the beans of exactly-once. */
final class ExactlyOnceBeanProxies extends OwnBeanProxies {

    ExactlyOnceBeanProxies() {
        super(ExactlyOnceBeanProxies.class.getPackageName(), "exactlyOnce");
    }

    @Override
    protected boolean isValue(Class<?> type) {
        return type == HandlerDefinition.class || type == SinkDefinition.class || type == PumpDefinition.class;
    }
}
