package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.test.InMemoryLocks;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Annotated methods in a user's test that moves the time. Needs no node; costs a second. Catches a lease that is not the application's. */
@SpringBootTest(
        classes = MovedTimeIT.Application.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = "cassandra-lock.lease=40s")
@InMemoryLocks
class MovedTimeIT {

    @Autowired
    private Jobs jobs;

    @Autowired
    private InMemoryRemoteLocker locks;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Jobs jobs() {
            return new Jobs();
        }
    }

    static class Jobs {

        private int runs;

        @DistributedLock(key = "'nightly'", strategy = Strategy.TRY_GET_LOCK, holdAtLeast = "10m")
        public void nightly() {
            runs++;
        }

        public int runs() {
            return runs;
        }

        @DistributedLock(key = "'import'", holdAtMost = "30m")
        public void longImport(Runnable work) {
            work.run();
        }
    }

    @Test
    void jobRunsAgainWhenItsMinimumTimeIsOver() {
        jobs.nightly();
        jobs.nightly();
        locks.advance(Duration.ofMinutes(9));
        jobs.nightly();
        assertThat(jobs.runs()).isEqualTo(1);
        locks.advance(Duration.ofMinutes(1));
        jobs.nightly();
        assertThat(jobs.runs()).isEqualTo(2);
    }

    @Test
    void jobThatHangsLosesItsLock() {
        assertThatThrownBy(() -> jobs.longImport(() -> locks.advance(Duration.ofMinutes(30))))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void pauseIsComparedWithTheLeaseOfTheApplication() {
        jobs.longImport(() -> locks.pause(Duration.ofSeconds(39)));
        assertThatThrownBy(() -> jobs.longImport(() -> locks.pause(Duration.ofSeconds(40))))
                .isInstanceOf(LockLostException.class);
    }
}
