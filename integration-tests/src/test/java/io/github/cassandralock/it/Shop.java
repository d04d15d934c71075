package io.github.cassandralock.it;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.RemoteLocker;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application as a user tests it: everything that Spring Boot configures, and one bean whose method takes a lock. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Shop {

    static class Orders {

        private final RemoteLocker locker;

        Orders(RemoteLocker locker) {
            this.locker = locker;
        }

        /** Returns whether the lock is taken meanwhile; runs the action under it. */
        @DistributedLock(key = "'order:' + #id")
        public boolean ship(String id, Runnable action) {
            action.run();
            return locker.tryGetLock("order:" + id).isEmpty();
        }
    }

    @Bean
    Orders orders(RemoteLocker locker) {
        return new Orders(locker);
    }
}
