package io.github.cassandralock.internal.startup;

import com.datastax.oss.driver.api.core.CqlIdentifier;

/**
 * Names of keyspaces and tables in properties, as CQL writes them: in lower case, or in double quotes. Spring Boot and the driver
 * read {@code spring.cassandra.keyspace-name} in this way.
 */
public final class CqlName {

    /** What a name is, for messages. */
    public static final String RULE =
            "a name without double quotes means the lower-case one, and other names than letters, digits and '_' need quotes";

    private CqlName() {}

    /**
     * Returns the name that this text means.
     *
     * @throws IllegalArgumentException if the text is no name in CQL; the message has the reason
     */
    public static CqlIdentifier of(String text) {
        CqlIdentifier name;
        try {
            name = CqlIdentifier.fromCql(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("it is no name in CQL: " + RULE, e);
        }
        if (name.asInternal().isBlank()) {
            throw new IllegalArgumentException("it is no name in CQL: it is empty");
        }
        return name;
    }

    /** Returns the name with this exact spelling, as YAML writes it. */
    public static String quoted(String spelling) {
        return "'" + CqlIdentifier.fromInternal(spelling).asCql(false) + "'";
    }
}
