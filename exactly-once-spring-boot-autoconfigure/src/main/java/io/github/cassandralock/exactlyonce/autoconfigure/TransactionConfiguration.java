package io.github.cassandralock.exactlyonce.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The transactions of the application's database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.springframework.jdbc.support.JdbcTransactionManager")
class TransactionConfiguration {

    @Bean
    SinkTransactions exactlyOnceSinkTransactions(ExactlyOnceProperties properties, ListableBeanFactory beans) {
        return new ManagedSinkTransactions(properties, beans);
    }
}
