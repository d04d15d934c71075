package io.github.cassandralock.internal.actuate;

import org.springframework.boot.actuate.endpoint.Producible;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/** The format of an answer, from the request's {@code Accept}: data, or the page that shows them. */
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

    /** The default if a request accepts anything. */
    @Override
    public boolean isDefault() {
        return this == JSON;
    }
}
