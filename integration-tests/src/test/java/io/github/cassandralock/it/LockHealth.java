package io.github.cassandralock.it;

import io.github.cassandralock.testing.applications.Application;
import java.lang.reflect.Method;

/**
 * What the health indicator of the locks says. By reflection, because Spring Boot 3 and 4 have its types in different packages.
 *
 * @param status for example {@code UP}
 * @param details as text
 */
record LockHealth(String status, String details) {

    static LockHealth of(Application application) {
        return of(application, "cassandraLockHealthIndicator");
    }

    /** What another health indicator says. */
    static LockHealth of(Application application, String bean) {
        Object indicator = application.context().getBean(bean);
        try {
            Method method = indicator.getClass().getMethod("health");
            method.setAccessible(true); // it is one of a lambda
            Object health = method.invoke(indicator);
            return new LockHealth(text(health, "getStatus"), text(health, "getDetails"));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static String text(Object health, String getter) throws ReflectiveOperationException {
        return String.valueOf(health.getClass().getMethod(getter).invoke(health));
    }
}
