package io.github.cassandralock.internal.actuate;

import org.springframework.boot.actuate.endpoint.Producible;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/** What the endpoint answers with, as the request's {@code Accept} asks: data, or the page that shows them. */
public enum LocksFormat implements Producible<LocksFormat> {
    JSON(MimeTypeUtils.APPLICATION_JSON),
    ACTUATOR_JSON(MimeType.valueOf("application/vnd.spring-boot.actuator.v3+json")),
    PAGE(MimeTypeUtils.TEXT_HTML);

    @SuppressWarnings("ImmutableEnumChecker") // a MimeType is immutable
    private final MimeType type;

    LocksFormat(MimeType type) {
        this.type = type;
    }

    @Override
    public MimeType getProducedMimeType() {
        return type;
    }

    /** For a request that takes anything. */
    @Override
    public boolean isDefault() {
        return this == JSON;
    }
}
