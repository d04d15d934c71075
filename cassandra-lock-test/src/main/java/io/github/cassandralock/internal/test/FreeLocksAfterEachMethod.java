package io.github.cassandralock.internal.test;

import io.github.cassandralock.test.InMemoryLocks;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import org.springframework.core.annotation.Order;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.support.DirtiesContextTestExecutionListener;
import org.springframework.test.context.transaction.TransactionalTestExecutionListener;

/**
 * Frees the locks in memory after each test method of a class with {@link InMemoryLocks}, after its {@code @AfterEach}.
 *
 * <p>Spring runs listeners in the reverse order after a test method. The order is between {@link
 * DirtiesContextTestExecutionListener} (3000) and {@link TransactionalTestExecutionListener} (4000). The test's transaction ends
 * first, because its commit fails if one of its locks is lost. The context is closed later.
 */
@Order(3500)
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
