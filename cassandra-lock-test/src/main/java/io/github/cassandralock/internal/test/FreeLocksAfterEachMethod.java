package io.github.cassandralock.internal.test;

import io.github.cassandralock.test.InMemoryLocks;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/** Frees the locks in memory after each test method of a class with {@link InMemoryLocks}, after its {@code @AfterEach}. */
final class FreeLocksAfterEachMethod implements TestExecutionListener {

    @Override
    public void afterTestMethod(TestContext test) {
        InMemoryLocks locks = TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), InMemoryLocks.class);
        if (locks != null && locks.freeAfterEachMethod() && test.hasApplicationContext()) {
            test.getApplicationContext()
                    .getBeanProvider(InMemoryRemoteLocker.class)
                    .forEach(InMemoryRemoteLocker::reset);
        }
    }
}
