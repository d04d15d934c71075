package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.test.InMemoryLocks;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.test.context.TestPropertySource;

/**
 * The order of the lock and of other advice of one method, as the guide defines it, in an application with aspects of its own.
 * Needs no node; costs some seconds. Catches a lock that does not cover what it has to.
 */
@SpringBootTest(
        classes = {Advised.class, AdviceOrderIT.WithRetries.class},
        webEnvironment = SpringBootTest.WebEnvironment.NONE)
@InMemoryLocks
@Timeout(60)
class AdviceOrderIT {

    /** Makes proxies for aspects as well, whatever Spring Boot is told. */
    @Configuration(proxyBeanMethods = false)
    @EnableRetry
    static class WithRetries {}

    private static final Duration SOON = Duration.ofSeconds(20);

    @Autowired
    Advised.Work work;

    @Autowired
    Advised.Notes notes;

    @Autowired
    InMemoryRemoteLocker locks;

    @BeforeEach
    void forget() {
        notes.clear();
    }

    @Test
    void transactionBeginsAndCommitsUnderTheLock() {
        work.transactional();
        assertThat(notes.all())
                .containsExactly("begin under the lock", "method under the lock", "commit under the lock");
    }

    @Test
    void cacheIsAskedUnderTheLockSoThatOneProcessComputesTheValue() {
        work.cached();
        work.cached();
        assertThat(notes.all())
                .containsOnlyOnce("method under the lock")
                .contains("look-up under the lock")
                .doesNotContain("look-up without the lock");
    }

    @Test
    void aspectsOfTheApplicationAreInsideUnlessTheirOrderIsLower() {
        work.plain();
        assertThat(notes.all())
                .containsExactly(
                        "aspect with order 0 without the lock",
                        "aspect just before the lowest precedence under the lock",
                        "aspect without an order under the lock",
                        "method under the lock");
    }

    @Test
    void triesOfSpringRetryShareTheLock() {
        work.retried();
        assertThat(notes.all())
                .containsExactly("method under the lock", "failed try under the lock", "method under the lock");
    }

    @Test
    void asynchronousMethodTakesTheLockOnItsOwnThread() {
        RemoteLock taken = locks.getLock(Advised.LOCK);
        CompletableFuture<Thread> running = work.async();
        assertThat(running).isNotDone();
        taken.close();
        assertThat(running).succeedsWithin(SOON).isNotEqualTo(Thread.currentThread());
        assertThat(notes.all()).containsExactly("method under the lock");
    }

    /** The aspect just before the lowest precedence is then outside. */
    @Nested
    @TestPropertySource(properties = "cassandra-lock.aspect.order=2147483640")
    class WithAnotherOrder {

        @Test
        void propertyMovesTheLockFurtherIn(@Autowired Advised.Work moved, @Autowired Advised.Notes noted) {
            moved.plain();
            assertThat(noted.all())
                    .containsExactly(
                            "aspect with order 0 without the lock",
                            "aspect just before the lowest precedence without the lock",
                            "aspect without an order under the lock",
                            "method under the lock");
        }
    }

    /** Spring Boot then makes no proxies for aspects, as the application has asked, but methods still run under their locks. */
    @Nested
    @SpringBootTest(
            classes = Advised.class,
            webEnvironment = SpringBootTest.WebEnvironment.NONE,
            properties = "spring.aop.auto=false")
    class WithoutSpringBootsProxies {

        @Test
        void lockIsTakenAndAspectsAreLeftAlone(@Autowired Advised.Work locked, @Autowired Advised.Notes noted) {
            locked.plain();
            assertThat(noted.all()).containsExactly("method under the lock");
        }
    }

    /** Retries of Spring Framework 7 itself, which are not those of the library spring-retry. */
    @Nested
    @EnabledIf("io.github.cassandralock.it.RetriedBySpring7#isPossible")
    @Import(RetriedBySpring7.class)
    class WithRetriesOfSpring7 {

        @Autowired
        RetriedBySpring7.Work retried;

        @Autowired
        RetriedBySpring7.Acquisitions acquisitions;

        @Test
        void eachTryTakesTheLockAnew() {
            retried.run();
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(acquisitions.count()).isEqualTo(2));
        }
    }
}
