package io.github.cassandralock.internal.aop;

import io.github.cassandralock.RemoteLocker;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The lockers of annotations: the application's locker, and others by the names or qualifiers of their beans.
 *
 * @param byDefault supplies the locker of annotations that choose none
 */
record ChosenLockers(Supplier<RemoteLocker> byDefault, ConfigurableListableBeanFactory beans) {

    /**
     * Returns the name of the bean that an annotation chooses; empty if it chooses none.
     *
     * @throws MistakenAnnotationException if not exactly one locker has the name or qualifier
     */
    String beanName(String chosen, String methodName) {
        if (chosen.isBlank()) {
            return "";
        }
        List<String> all =
                List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, RemoteLocker.class, true, false));
        List<String> found = all.stream()
                .filter(bean -> BeanFactoryAnnotationUtils.isQualifierMatch(chosen::equals, bean, beans))
                .toList();
        if (found.size() != 1) {
            throw new MistakenAnnotationException("@DistributedLock on " + methodName + " has locker = \"" + chosen
                    + "\", but "
                    + (found.isEmpty() ? "no RemoteLocker bean has this name" : "several RemoteLocker beans have it")
                    + "; there are "
                    + all.stream().map(bean -> "'" + bean + "'").collect(Collectors.joining(", "))
                    + ". Write the name of one, or configure it below 'cassandra-lock.lockers." + chosen + "'");
        }
        return found.get(0);
    }

    RemoteLocker get(LockOperation operation) {
        return operation.locker().isEmpty() ? byDefault.get() : beans.getBean(operation.locker(), RemoteLocker.class);
    }
}
