package io.github.cassandralock.it;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.retry.RetryCallback;
import org.springframework.retry.RetryContext;
import org.springframework.retry.RetryListener;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** An application whose methods have other advice beside the lock. Each piece of advice notes whether the lock is taken. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableTransactionManagement
@EnableCaching
@EnableAsync
class Advised {

    static final String LOCK = "advised";

    /** What happened, and whether it was under the lock. */
    static final class Notes {

        private final InMemoryRemoteLocker locks;
        private final Collection<String> notes = new ConcurrentLinkedQueue<>();

        Notes(InMemoryRemoteLocker locks) {
            this.locks = locks;
        }

        void note(String what) {
            notes.add(what + (locks.isTaken(LOCK) ? " under the lock" : " without the lock"));
        }

        List<String> all() {
            return List.copyOf(notes);
        }

        void clear() {
            notes.clear();
        }
    }

    static class Work {

        private final Notes notes;
        private int tries;

        Work(Notes notes) {
            this.notes = notes;
        }

        @DistributedLock(key = "'" + LOCK + "'")
        public void plain() {
            notes.note("method");
        }

        @DistributedLock(key = "'" + LOCK + "'")
        @Transactional
        public void transactional() {
            notes.note("method");
        }

        @DistributedLock(key = "'" + LOCK + "'")
        @Cacheable("cache")
        public String cached() {
            notes.note("method");
            return "value";
        }

        @DistributedLock(key = "'" + LOCK + "'")
        @Async
        public CompletableFuture<Thread> async() {
            notes.note("method");
            return CompletableFuture.completedFuture(Thread.currentThread());
        }

        /** Fails at its first call. */
        @DistributedLock(key = "'" + LOCK + "'")
        @Retryable
        public void retried() {
            notes.note("method");
            if (tries++ == 0) {
                throw new IllegalStateException("once");
            }
        }
    }

    @Aspect
    @Order(0)
    static class Outer {

        private final Notes notes;

        Outer(Notes notes) {
            this.notes = notes;
        }

        @Around("execution(* io.github.cassandralock.it.Advised.Work.plain())")
        public @Nullable Object around(ProceedingJoinPoint call) throws Throwable {
            notes.note("aspect with order 0");
            return call.proceed();
        }
    }

    @Aspect
    @Order(Ordered.LOWEST_PRECEDENCE - 10)
    static class Inner {

        private final Notes notes;

        Inner(Notes notes) {
            this.notes = notes;
        }

        @Around("execution(* io.github.cassandralock.it.Advised.Work.plain())")
        public @Nullable Object around(ProceedingJoinPoint call) throws Throwable {
            notes.note("aspect just before the lowest precedence");
            return call.proceed();
        }
    }

    @Aspect
    static class Unordered {

        private final Notes notes;

        Unordered(Notes notes) {
            this.notes = notes;
        }

        @Around("execution(* io.github.cassandralock.it.Advised.Work.plain())")
        public @Nullable Object around(ProceedingJoinPoint call) throws Throwable {
            notes.note("aspect without an order");
            return call.proceed();
        }
    }

    /** Transactions of nothing. */
    static final class NotedTransactions extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient Notes notes;

        NotedTransactions(Notes notes) {
            this.notes = notes;
        }

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            notes.note("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            notes.note("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            notes.note("rollback");
        }
    }

    @Bean
    Notes notes(InMemoryRemoteLocker locks) {
        return new Notes(locks);
    }

    @Bean
    Work work(Notes notes) {
        return new Work(notes);
    }

    @Bean
    Outer outer(Notes notes) {
        return new Outer(notes);
    }

    @Bean
    Inner inner(Notes notes) {
        return new Inner(notes);
    }

    @Bean
    Unordered unordered(Notes notes) {
        return new Unordered(notes);
    }

    @Bean
    PlatformTransactionManager transactions(Notes notes) {
        return new NotedTransactions(notes);
    }

    @Bean
    CacheManager caches(Notes notes) {
        Cache cache = new ConcurrentMapCache("cache") {
            @Override
            protected @Nullable Object lookup(Object key) {
                notes.note("look-up");
                return super.lookup(key);
            }
        };
        SimpleCacheManager manager = new SimpleCacheManager();
        manager.setCaches(List.of(cache));
        return manager;
    }

    @Bean
    RetryListener retries(Notes notes) {
        return new RetryListener() {
            @Override
            public <T, E extends Throwable> void onError(
                    RetryContext context, RetryCallback<T, E> callback, Throwable failure) {
                notes.note("failed try");
            }
        };
    }
}
