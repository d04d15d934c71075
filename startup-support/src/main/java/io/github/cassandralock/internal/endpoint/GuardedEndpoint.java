package io.github.cassandralock.internal.endpoint;

import java.util.Set;

/**
 * An endpoint that changes something, and how requests are refused there.
 *
 * @param id of the endpoint
 * @param changing the methods of requests that change something
 * @param property that switches these requests on; they are off by default
 * @param otherMethod the answer to a request with another method
 * @param otherSite the answer to a request that a page of another site has sent
 */
public record GuardedEndpoint(String id, Set<String> changing, String property, String otherMethod, String otherSite) {}
