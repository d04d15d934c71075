package io.github.cassandralock.test;

import io.github.cassandralock.autoconfigure.CassandraLockAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives the Spring context of a test an {@link InMemoryRemoteLocker} in place of the real locker, so that the test needs no
 * Cassandra for its locks. {@code @DistributedLock} works, in slices such as {@code @WebMvcTest}, too. Inject {@code
 * InMemoryRemoteLocker} to hold or lose locks on purpose.
 *
 * <p>After each test method all locks are free again ({@link InMemoryRemoteLocker#reset()}), whatever the method has left: a lock
 * that it did not close, or that is taken for its minimum time. Methods that run at the same time in one context set {@link
 * #freeAfterEachMethod()} to false.
 *
 * <p>The beans that Spring Boot configures for Cassandra are then created when something uses them, and not at the start.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ImportAutoConfiguration(CassandraLockAutoConfiguration.class)
public @interface InMemoryLocks {

    /**
     * Whether all locks are free again after each test method.
     *
     * @return false if locks are to outlive a method
     */
    boolean freeAfterEachMethod() default true;
}
