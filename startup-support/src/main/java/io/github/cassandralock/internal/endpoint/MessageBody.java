package io.github.cassandralock.internal.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What happened, and what to do. */
public record MessageBody(String message) implements OperationResponseBody {}
