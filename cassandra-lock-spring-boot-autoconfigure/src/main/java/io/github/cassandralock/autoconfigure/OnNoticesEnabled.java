package io.github.cassandralock.autoconfigure;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether {@code cassandra-lock.notices.enabled} is true, in any spelling that binds to true ({@code true}, {@code on}, {@code
 * yes}, {@code 1}), and in no other: then, and only then, a port is opened.
 */
final class OnNoticesEnabled implements Condition {

    private static final String PROPERTY = "cassandra-lock.notices.enabled";

    /** A value that is no boolean counts as false here: binding the properties refuses it. */
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Binder binder = Binder.get(context.getEnvironment());
        try {
            return binder.bind(PROPERTY, Boolean.class).orElse(false);
        } catch (RuntimeException notABoolean) {
            return false;
        }
    }
}
