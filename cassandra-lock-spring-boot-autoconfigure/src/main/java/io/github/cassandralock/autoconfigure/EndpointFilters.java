package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.actuate.CassandraLocksEndpoint;
import io.github.cassandralock.internal.actuate.ExactlyOnceEndpoint;
import io.github.cassandralock.internal.actuate.GuardedEndpoint;
import io.github.cassandralock.internal.actuate.ReactiveBrowserFilter;
import io.github.cassandralock.internal.actuate.ServletBrowserFilter;
import jakarta.servlet.Filter;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.server.WebFilter;

/** What browsers may do with the endpoints of this library, in the context that serves them, whichever port that has. */
@ManagementContextConfiguration(proxyBeanMethods = false)
class EndpointFilters {

    private static final String CORS = "management.endpoints.web.cors.";

    private static boolean othersMayAsk(Environment environment) {
        return Stream.of("allowed-origins", "allowed-origin-patterns")
                .anyMatch(name -> Binder.get(environment)
                        .bind(CORS + name, Bindable.listOf(String.class))
                        .isBound());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(Filter.class)
    static class OfServlets {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = CassandraLocksEndpoint.class)
        ServletBrowserFilter cassandraLocksBrowserFilter(
                ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            return new ServletBrowserFilter(
                    GuardedEndpoint.LOCKS, endpoints::getIfAvailable, othersMayAsk(environment));
        }

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = ExactlyOnceEndpoint.class)
        ServletBrowserFilter exactlyOnceBrowserFilter(
                ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            return new ServletBrowserFilter(
                    GuardedEndpoint.HANDLERS, endpoints::getIfAvailable, othersMayAsk(environment));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(WebFilter.class)
    static class Reactive {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = CassandraLocksEndpoint.class)
        ReactiveBrowserFilter cassandraLocksBrowserFilter(
                ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            return new ReactiveBrowserFilter(
                    GuardedEndpoint.LOCKS, endpoints::getIfAvailable, othersMayAsk(environment));
        }

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = ExactlyOnceEndpoint.class)
        ReactiveBrowserFilter exactlyOnceBrowserFilter(
                ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            return new ReactiveBrowserFilter(
                    GuardedEndpoint.HANDLERS, endpoints::getIfAvailable, othersMayAsk(environment));
        }
    }
}
