package io.github.cassandralock.sample.window.surroundings;

import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.cassandra.CassandraConnectionDetails;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where this copy's Cassandra and database are. An application of your own has {@code spring.cassandra} for that. */
@Configuration(proxyBeanMethods = false)
class SurroundingsConfiguration {

    /** Ends with the context, after the session and the pool of connections. */
    @Bean
    Surroundings surroundings(@Value("${surroundings.port}") int port) throws InterruptedException {
        return Surroundings.join(port);
    }

    @Bean
    CassandraConnectionDetails cassandra(Surroundings surroundings) {
        return new CassandraAddress(surroundings.addresses());
    }

    @Bean
    JdbcConnectionDetails database(Surroundings surroundings) {
        return new DatabaseAddress(surroundings.addresses().jdbcUrl());
    }

    private record CassandraAddress(Addresses addresses) implements CassandraConnectionDetails {

        @Override
        public List<Node> getContactPoints() {
            String[] hostAndPort = addresses.contactPoint().split(":", 2);
            return List.of(new Node(hostAndPort[0], Integer.parseInt(hostAndPort[1])));
        }

        @Override
        public String getLocalDatacenter() {
            return addresses.datacenter();
        }
    }

    private record DatabaseAddress(String getJdbcUrl) implements JdbcConnectionDetails {

        @Override
        public String getUsername() {
            return "";
        }

        @Override
        public String getPassword() {
            return "";
        }
    }
}
