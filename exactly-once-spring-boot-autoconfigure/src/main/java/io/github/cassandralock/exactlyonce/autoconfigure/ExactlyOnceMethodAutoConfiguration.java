package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.github.cassandralock.internal.exactlyonce.DeferredRegisterStore;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Runs the methods with {@code @ExactlyOnce}, in the application's database, and shows operators all copies of the instance.
 * Without such methods it runs nothing, and does no I/O.
 *
 * <p>The order after Spring Boot's configuration of meters is given by name. Versions 3 and 4 have that configuration in different
 * packages, and it need not be there.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnSwitch(property = "exactly-once.enabled", byDefault = true)
@Import({
    ExactlyOnceBeanProxies.class,
    PropertyConfiguration.class,
    TransactionConfiguration.class,
    DatabaseInitializationConfiguration.class,
    CopyHealthConfiguration.class,
    CopyMetricsConfiguration.class,
    HandlerEndpointConfiguration.class
})
public final class ExactlyOnceMethodAutoConfiguration {

    @Bean
    MessageCodecs exactlyOnceMessageCodecs(ConfigurableListableBeanFactory beans) {
        return new MessageCodecs(beans);
    }

    @Bean
    ObservedCopies exactlyOnceObservedCopies(
            ObjectProvider<CopyLifecycle> declared, MethodCopies methods, ObjectProvider<DeferredRegisterStore> store) {
        return new ObservedCopies(declared, methods, store);
    }

    /** Stopped even if the application fails when it has nearly started: Spring then destroys beans without stopping them. */
    @Bean(destroyMethod = "close")
    MethodCopies exactlyOnceMethods(
            ConfigurableListableBeanFactory beans,
            MessageCodecs codecs,
            ObjectProvider<ExactlyOnceProperties> properties,
            ObjectProvider<SinkTransactions> transactions,
            ObjectProvider<MessageTables> tables) {
        return new MethodCopies(() -> new FoundMethods(
                        new AnnotatedMethods(beans, codecs).find(), properties, transactions, tables, beans)
                .get());
    }
}
