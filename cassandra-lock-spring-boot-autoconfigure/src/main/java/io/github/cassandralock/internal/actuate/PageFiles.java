package io.github.cassandralock.internal.actuate;

import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/**
 * The page of the endpoint and its files. They come from the endpoint's own path, with a query. Therefore the files have the
 * endpoint's port, path and access rules. No lock id can be mistaken for a file. Script and style are separate files, so a
 * Content-Security-Policy of {@code default-src 'self'} allows them.
 */
final class PageFiles {

    /** All of them, as paths on the class path. */
    static final String PATTERN = "io/github/cassandralock/internal/actuate/page/*";

    private static final String PAGE = "cassandralocks.html";

    private static final Map<String, MimeType> TYPES = Map.of(
            "cassandralocks.css", MimeType.valueOf("text/css;charset=UTF-8"),
            "cassandralocks.js", MimeType.valueOf("text/javascript;charset=UTF-8"),
            "cassandralocks.svg", MimeType.valueOf("image/svg+xml"));

    private PageFiles() {}

    static WebEndpointResponse<Object> page() {
        return new WebEndpointResponse<>(resource(PAGE), MimeType.valueOf(MimeTypeUtils.TEXT_HTML + ";charset=UTF-8"));
    }

    /** Returns one of its files; empty if there is none of this name. */
    static Optional<WebEndpointResponse<Object>> file(String name) {
        return Optional.ofNullable(TYPES.get(name)).map(type -> new WebEndpointResponse<>(resource(name), type));
    }

    private static Resource resource(String name) {
        return new ClassPathResource("page/" + name, PageFiles.class);
    }
}
