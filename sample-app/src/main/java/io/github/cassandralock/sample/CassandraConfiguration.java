package io.github.cassandralock.sample;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.cassandra.CassandraConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

/** The bank's session, in a keyspace that exists, and its way to read and write. */
@Configuration(proxyBeanMethods = false)
class CassandraConfiguration {

    /** @param builders makes a new builder for each call, configured by {@code spring.cassandra.*} */
    @Bean
    CqlSession cassandraSession(
            ObjectProvider<CqlSessionBuilder> builders, CassandraConnectionDetails details, BankProperties properties) {
        try (CqlSession administration = builders.getObject().build()) {
            new BankKeyspace(administration, details.getLocalDatacenter())
                    .createIfMissing(properties.replicationFactor());
        }
        return builders.getObject().withKeyspace(BankKeyspace.NAME).build();
    }

    /** Quorums overlap: what one holder of a lock wrote, the next one reads. */
    @Bean
    CqlTemplate cqlTemplate(SessionFactory sessions) {
        CqlTemplate quorum = new CqlTemplate(sessions);
        quorum.setConsistencyLevel(DefaultConsistencyLevel.QUORUM);
        return quorum;
    }
}
