package io.github.cassandralock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the Spring context of a test a real Cassandra node, without Docker. The artifact {@code local-cassandra} starts it as a
 * child process for the first test, and ends it with the JVM. The keyspace is created, and the properties {@code
 * spring.cassandra.contact-points}, {@code .local-datacenter} and {@code .keyspace-name} are set. They take precedence over the
 * application's properties.
 *
 * <p>Needs {@code local-cassandra} on the test's class path, and a JDK 17 on the machine.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface WithLocalCassandra {

    /**
     * The keyspace of the application's session.
     *
     * @return its name; contexts with different keyspaces share no data
     */
    String keyspace() default "test";
}
