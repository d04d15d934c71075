package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.spring.MessagePusher;
import io.github.cassandralock.exactlyonce.table.jdbc.MessageTableSettings;
import io.github.cassandralock.internal.transactionlistener.TransactionListenerInstaller;
import io.github.cassandralock.internal.transactions.TransactionObserver;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The transactions of the application's database, its table of messages, and how to push to it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.springframework.jdbc.support.JdbcTransactionManager")
class TransactionConfiguration {

    @Bean
    static TransactionListenerInstaller exactlyOnceTransactionObserver(ConfigurableListableBeanFactory beans) {
        return new TransactionListenerInstaller(TransactionObserver::new, beans);
    }

    @Bean
    SinkTransactions exactlyOnceSinkTransactions(ExactlyOnceProperties properties, ListableBeanFactory beans) {
        return new ManagedSinkTransactions(properties, beans);
    }

    /** A bean of type {@link MessageTableSettings}, if there is one, names the table. */
    @Bean
    @Lazy
    MessageTables exactlyOnceMessageTables(
            ExactlyOnceProperties properties,
            SinkTransactions transactions,
            ObjectProvider<MessageTableSettings> settings,
            ListableBeanFactory beans) {
        return new MessageTables(
                new ChosenDataSource(properties, beans)::get,
                transactions::boundBy,
                settings.getIfAvailable(MessageTableSettings::defaults),
                properties.createTables());
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    MessagePusher exactlyOnceMessagePusher(MessageTables tables, MessageCodecs codecs) {
        return new MessagePusher(tables::target, codecs::encode);
    }
}
