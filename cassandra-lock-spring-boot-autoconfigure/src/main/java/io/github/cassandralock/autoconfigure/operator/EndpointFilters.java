package io.github.cassandralock.autoconfigure.operator;

import io.github.cassandralock.internal.actuate.CassandraLocksEndpoint;
import io.github.cassandralock.internal.endpoint.ReactiveRequestFilter;
import io.github.cassandralock.internal.endpoint.ServletRequestFilter;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.server.WebFilter;

/** Which requests reach the endpoint {@code cassandralocks}, in the context that serves it, on whichever port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
public class EndpointFilters {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(Filter.class)
    static class OfServlets {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = CassandraLocksEndpoint.class)
        ServletRequestFilter cassandraLocksRequestFilter(
                ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            return new ServletRequestFilter(CassandraLocksEndpoint.GUARD, endpoints::getIfAvailable, environment);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(WebFilter.class)
    static class Reactive {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = CassandraLocksEndpoint.class)
        ReactiveRequestFilter cassandraLocksRequestFilter(
                ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            return new ReactiveRequestFilter(CassandraLocksEndpoint.GUARD, endpoints::getIfAvailable, environment);
        }
    }
}
