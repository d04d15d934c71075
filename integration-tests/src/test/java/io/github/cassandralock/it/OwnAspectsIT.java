package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.test.InMemoryLocks;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;

/** An application with aspects of AspectJ on the locker and on everything that is closed. Needs no node; costs some seconds. */
@SpringBootTest(classes = OwnAspectsIT.Shop.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@InMemoryLocks
@Timeout(60)
class OwnAspectsIT {

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        static Watch watch() {
            return new Watch();
        }
    }

    @Aspect
    static class Watch {

        private final Set<String> calls = ConcurrentHashMap.newKeySet();

        Set<String> calls() {
            return calls;
        }

        @Around(
                "execution(* io.github.cassandralock.RemoteLocker.*(..)) || execution(* java.lang.AutoCloseable.close(..)) && within(io.github.cassandralock..*)")
        public @Nullable Object watch(ProceedingJoinPoint call) throws Throwable {
            calls.add(call.getSignature().getName());
            return call.proceed();
        }
    }

    @Autowired
    RemoteLocker locker;

    @Autowired
    InMemoryRemoteLocker locks;

    @Autowired
    Watch watch;

    @Test
    void aspectSeesTheCallsOfTheLocker() {
        try (RemoteLock lock = locker.getLock("k")) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(locks.isTaken("k")).isTrue();
        }
        assertThat(watch.calls()).contains("getLock");
    }
}
