package io.github.cassandralock.internal.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Applies {@link RequestRules} to an endpoint in reactive applications, before any filter that changes the method. Thread-safe. */
public final class ReactiveRequestFilter implements WebFilter, Ordered {

    private final EndpointPath endpoint;
    private final RequestRules rules;

    /**
     * @param guarded whose requests are filtered
     * @param endpoints called at the first request; may return null
     * @param environment decides whether requests may change something, and scripts of other sites may send them (CORS)
     */
    public ReactiveRequestFilter(
            GuardedEndpoint guarded, Supplier<@Nullable PathMappedEndpoints> endpoints, Environment environment) {
        this.endpoint = new EndpointPath(guarded, endpoints);
        this.rules = RequestRules.of(guarded, environment);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        if (!endpoint.contains(decoded(request.getPath().pathWithinApplication()))) {
            return chain.filter(exchange);
        }
        RequestRules.HEADERS.forEach(exchange.getResponse().getHeaders()::set);
        Optional<RequestRules.Refusal> refusal = rules.refusal(ofRequest(request));
        return refusal.isPresent() ? refuse(exchange.getResponse(), refusal.get()) : chain.filter(exchange);
    }

    private static String decoded(PathContainer path) {
        return path.elements().stream()
                .map(part -> part instanceof PathContainer.PathSegment segment ? segment.valueToMatch() : part.value())
                .collect(Collectors.joining());
    }

    private static RequestRules.Request ofRequest(ServerHttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        return new RequestRules.Request(
                request.getMethod().name(),
                request.getURI().getRawQuery(),
                headers.getContentLength() > 0 || headers.getFirst("Transfer-Encoding") != null,
                headers.getFirst("Sec-Fetch-Site"),
                headers.getFirst("Origin"),
                headers.getFirst("Host"),
                headers.getFirst("X-Forwarded-Host"));
    }

    private static Mono<Void> refuse(ServerHttpResponse answer, RequestRules.Refusal refusal) {
        answer.setStatusCode(HttpStatusCode.valueOf(refusal.status()));
        answer.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        return answer.writeWith(Mono.fromSupplier(
                () -> answer.bufferFactory().wrap(refusal.json().getBytes(StandardCharsets.UTF_8))));
    }
}
