package io.github.cassandralock.internal.test;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Makes the beans lazy that Spring Boot configures for Cassandra. Otherwise the first of them opens a session at the start. */
final class CassandraAtFirstUse implements BeanFactoryPostProcessor {

    /** Of Spring Boot 3 and of Spring Boot 4. */
    private static final List<String> PACKAGES = List.of(
            "org.springframework.boot.autoconfigure.cassandra.",
            "org.springframework.boot.autoconfigure.data.cassandra.",
            "org.springframework.boot.cassandra.autoconfigure.",
            "org.springframework.boot.data.cassandra.autoconfigure.");

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanDefinitionNames()) {
            BeanDefinition definition = beans.getBeanDefinition(name);
            if (isOfCassandra(definition.getBeanClassName()) || isOfCassandra(definition.getFactoryBeanName())) {
                definition.setLazyInit(true);
            }
        }
    }

    private static boolean isOfCassandra(@Nullable String configuration) {
        return Optional.ofNullable(configuration)
                .filter(type -> PACKAGES.stream().anyMatch(type::startsWith))
                .isPresent();
    }
}
