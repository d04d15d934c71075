package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.endpoint.ReactiveRequestFilter;
import io.github.cassandralock.internal.endpoint.ServletRequestFilter;
import io.github.cassandralock.internal.exactlyonce.endpoint.ExactlyOnceEndpoint;
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

/** Which requests reach the endpoint {@code exactlyonce}, in the context that serves it, on whichever port. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class EndpointFilters {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(Filter.class)
    static class OfServlets {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = ExactlyOnceEndpoint.class)
        ServletRequestFilter exactlyOnceRequestFilter(
                ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            return new ServletRequestFilter(ExactlyOnceEndpoint.GUARD, endpoints::getIfAvailable, environment);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(WebFilter.class)
    static class Reactive {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = ExactlyOnceEndpoint.class)
        ReactiveRequestFilter exactlyOnceRequestFilter(
                ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            return new ReactiveRequestFilter(ExactlyOnceEndpoint.GUARD, endpoints::getIfAvailable, environment);
        }
    }
}
