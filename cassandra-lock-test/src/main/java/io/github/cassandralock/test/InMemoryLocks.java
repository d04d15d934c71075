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
 * Gives the Spring context of a test an {@link InMemoryRemoteLocker} instead of the real locker. The test needs no Cassandra for
 * its locks. {@code @DistributedLock} works, even in slices such as {@code @WebMvcTest}. Inject {@code InMemoryRemoteLocker} to
 * hold or lose locks on purpose. Each locker of {@code cassandra-lock.lockers} is replaced by one of its own with the same name.
 *
 * <p>After each test method all locks are free again ({@link InMemoryRemoteLocker#reset()}). That includes locks that the method
 * did not close, or that are taken for their minimum time. Methods that run at the same time in one context set {@link
 * #freeAfterEachMethod()} to false.
 *
 * <p>Beans that Spring Boot configures for Cassandra are created at their first use, not at the start.
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
     * @return false to keep locks from one method to the next
     */
    boolean freeAfterEachMethod() default true;
}
