package io.github.cassandralock.internal.endpoint;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.util.function.SingletonSupplier;

/** The path of an endpoint. It is determined at the first request, because endpoints are created after filters. Thread-safe. */
final class EndpointPath {

    private final SingletonSupplier<String> path;

    /** @param endpoints may return null */
    EndpointPath(GuardedEndpoint endpoint, Supplier<@Nullable PathMappedEndpoints> endpoints) {
        this.path = SingletonSupplier.of(() -> path(EndpointId.of(endpoint.id()), endpoints.get()));
    }

    private static String path(EndpointId id, @Nullable PathMappedEndpoints endpoints) {
        String known = endpoints == null ? null : endpoints.getPath(id);
        return known == null ? "" : known;
    }

    /** @param decoded within the application, without parameters */
    boolean contains(String decoded) {
        String own = path.obtain();
        return !own.isEmpty()
                && decoded.startsWith(own)
                && (decoded.length() == own.length() || decoded.charAt(own.length()) == '/');
    }
}
