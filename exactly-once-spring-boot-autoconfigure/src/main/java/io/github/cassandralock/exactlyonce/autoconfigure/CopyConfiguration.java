package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.TransactionalSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.JdbcSinks;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.github.cassandralock.internal.exactlyonce.DeferredRegisterStore;
import io.github.cassandralock.internal.exactlyonce.Runners;
import io.github.cassandralock.internal.exactlyonce.WriteIdsRenewal;
import io.github.cassandralock.internal.startup.RepeatedStart;
import io.github.cassandralock.internal.startup.StartReport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The store, the parts of handlers and queues, and the lifecycle of the copies. */
@Configuration(proxyBeanMethods = false)
class CopyConfiguration {

    private static final Logger log = LoggerFactory.getLogger(CopyConfiguration.class);

    /** Does no I/O: the store is opened in the background, at the first request or when all beans are made. */
    @Bean
    @ConditionalOnMissingBean(RegisterStore.class)
    DeferredRegisterStore exactlyOnceRegisterStore(
            ExactlyOnceProperties properties, ListableBeanFactory beans, Environment environment) {
        return new DeferredRegisterStore(
                new RegisterStoreOpening(properties, beans).of(),
                new StartReport(log, "The store of exactly-once handlers", new RegisterStoreFailures(environment)),
                RepeatedStart.LONGEST_PAUSE);
    }

    /** Opens the store when all beans are made. Some of them may migrate the schema in which the store creates its table. */
    @Bean
    static SmartInitializingSingleton exactlyOnceStoreOpening(ObjectProvider<DeferredRegisterStore> store) {
        return () -> store.ifAvailable(DeferredRegisterStore::begin);
    }

    @Bean
    @ConditionalOnMissingBean
    Registers exactlyOnceRegisters(RegisterStore store) {
        return Registers.of(store);
    }

    @Bean
    WriteIdsRenewal exactlyOnceWriteIdsRenewal(Registers registers) {
        return new WriteIdsRenewal(registers.writeIds());
    }

    @Bean
    @ConditionalOnMissingBean
    Queues exactlyOnceQueues(Registers registers, ExactlyOnceProperties properties, Environment environment) {
        QueueKeys.requireBound(environment);
        return new Queues(registers, properties::layoutOf);
    }

    /** A queue keeps its first layout, so a misspelt name is found late. Queues may be requested later. */
    @Bean
    static SmartInitializingSingleton exactlyOnceQueueNames(
            ObjectProvider<Queues> queues, ExactlyOnceProperties properties) {
        return () -> queues.ifAvailable(asked -> properties.queues().keySet().stream()
                .filter(name -> !asked.getNames().contains(name))
                .sorted()
                .forEach(name -> log.warn(
                        "No bean of the application uses queue '{}', which 'exactly-once.queues' configures. Its queues are {}. If the"
                                + " name is wrong, correct it: a queue keeps the layout with which it is first used. If the queue is"
                                + " used later, declare it as a bean of type MessageQueue",
                        name,
                        asked.getNames())));
    }

    @Bean
    @ConditionalOnMissingBean
    HandlerBuilders exactlyOnceHandlerBuilders(Registers registers, ExactlyOnceProperties properties, Queues queues) {
        return new HandlerBuilders(registers, new ConfiguredHandlers(properties, queues));
    }

    /** A bean of type {@link JdbcSinkSettings}, if there is one, names the tables. */
    @Bean
    @ConditionalOnMissingBean
    JdbcSinks exactlyOnceJdbcSinks(
            ExactlyOnceProperties properties, ObjectProvider<JdbcSinkSettings> settings, ListableBeanFactory beans) {
        return new JdbcSinks(
                new ChosenDataSource(properties, beans)::get,
                settings.getIfAvailable(JdbcSinkSettings::defaults),
                properties.createTables());
    }

    /** Stopped even if the application fails when it has nearly started: Spring then destroys beans without stopping them. */
    @Bean(destroyMethod = "close")
    CopyLifecycle exactlyOnceCopies(
            ExactlyOnceProperties properties,
            HandlerBuilders builders,
            Registers registers,
            ObjectProvider<HandlerDefinition<?>> handlers,
            ObjectProvider<SinkDefinition> sinks,
            ObjectProvider<PumpDefinition> pumps,
            ObjectProvider<HandlerListener> handlerListeners,
            ObjectProvider<SinkListener> sinkListeners,
            ObjectProvider<SinkTransactions> transactions,
            ListableBeanFactory beans) {
        new ChosenDataSource(properties, beans).requireNamed();
        Declarations declarations = new Declarations(
                handlers.orderedStream().toList(),
                sinks.orderedStream().toList(),
                pumps.orderedStream().toList());
        declarations.requireDistinctNames();
        declarations.warnOfPumpsOfOtherSinks();
        declarations.requireHandlersOf(beans.getBeanNamesForType(ExactlyOnceHandler.class));
        ConfiguredHandlers.requireKnown(properties, builders.getNames());
        Declarations running = declarations.onThisInstance(properties.copies());
        transactions.ifAvailable(running::requireTransactions);
        return new CopyLifecycle(
                running.runners(new Runners(
                        properties.idle(),
                        Runners.environment(properties.stepLimit()),
                        handlerListeners.orderedStream().toList(),
                        sinkListeners.orderedStream().toList(),
                        sink -> inTransactions(sink, transactions.getIfAvailable()))),
                properties.shutdownTimeout());
    }

    /** Without spring-jdbc, nothing could take part in the transaction. */
    private static TransactionalSink inTransactions(TransactionalSink sink, @Nullable SinkTransactions transactions) {
        return transactions != null && sink instanceof JdbcSink jdbc
                ? jdbc.inTransactionsOf(transactions.of(jdbc.getDataSource()))
                : sink;
    }
}
