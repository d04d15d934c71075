package io.github.cassandralock.internal.endpoint;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** Applies {@link RequestRules} to an endpoint in servlet containers, before any filter that changes the method. Thread-safe. */
public final class ServletRequestFilter implements Filter, Ordered {

    private final EndpointPath endpoint;
    private final RequestRules rules;

    /**
     * @param guarded whose requests are filtered
     * @param endpoints called at the first request; may return null
     * @param environment decides whether requests may change something, and scripts of other sites may send them (CORS)
     */
    public ServletRequestFilter(
            GuardedEndpoint guarded, Supplier<@Nullable PathMappedEndpoints> endpoints, Environment environment) {
        this.endpoint = new EndpointPath(guarded, endpoints);
        this.rules = RequestRules.of(guarded, environment);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest asked
                && response instanceof HttpServletResponse answer
                && isForEndpoint(asked)) {
            RequestRules.HEADERS.forEach(answer::setHeader);
            Optional<RequestRules.Refusal> refusal = rules.refusal(ofRequest(asked));
            if (refusal.isPresent()) {
                refuse(answer, refusal.get());
                return;
            }
        }
        chain.doFilter(request, response);
    }

    /** A servlet that is not the default one has its own path before the endpoint's. */
    private boolean isForEndpoint(HttpServletRequest request) {
        String info = request.getPathInfo();
        return info == null
                ? endpoint.contains(request.getServletPath())
                : endpoint.contains(info) || endpoint.contains(request.getServletPath() + info);
    }

    private static RequestRules.Request ofRequest(HttpServletRequest request) {
        return new RequestRules.Request(
                methodOf(request),
                request.getQueryString(),
                request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null,
                request.getHeader("Sec-Fetch-Site"),
                request.getHeader("Origin"),
                request.getHeader("Host"),
                request.getHeader("X-Forwarded-Host"));
    }

    private static String methodOf(HttpServletRequest request) {
        ServletRequest original = request;
        while (original instanceof ServletRequestWrapper wrapper) {
            original = wrapper.getRequest();
        }
        return original instanceof HttpServletRequest http ? http.getMethod() : request.getMethod();
    }

    private static void refuse(HttpServletResponse answer, RequestRules.Refusal refusal) throws IOException {
        answer.setStatus(refusal.status());
        answer.setContentType("application/json");
        answer.getOutputStream().write(refusal.json().getBytes(StandardCharsets.UTF_8));
    }
}
