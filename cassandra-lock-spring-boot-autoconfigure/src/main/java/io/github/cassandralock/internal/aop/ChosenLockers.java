package io.github.cassandralock.internal.aop;

import io.github.cassandralock.RemoteLocker;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * The lockers of annotations: the application's locker, and others by the names or qualifiers of their beans.
 *
 * @param byDefault supplies the locker of annotations that choose none
 */
record ChosenLockers(Supplier<RemoteLocker> byDefault, ConfigurableListableBeanFactory beans) {

    /**
     * Returns the name of the bean that an annotation chooses; empty for the locker of annotations that choose none, so that one
     * locker has one name.
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
        return isDefault(found.get(0), all) ? "" : found.get(0);
    }

    private boolean isDefault(String bean, List<String> all) {
        return definition(bean).isPrimary()
                || all.stream().filter(this::isInjectedWithoutAName).toList().equals(List.of(bean));
    }

    private boolean isInjectedWithoutAName(String bean) {
        BeanDefinition definition = definition(bean);
        return !definition.isFallback()
                && !(definition instanceof AbstractBeanDefinition own && !own.isDefaultCandidate());
    }

    private BeanDefinition definition(String bean) {
        return beans.getMergedBeanDefinition(bean);
    }

    RemoteLocker get(LockOperation operation) {
        return operation.locker().isEmpty() ? byDefault.get() : beans.getBean(operation.locker(), RemoteLocker.class);
    }
}
