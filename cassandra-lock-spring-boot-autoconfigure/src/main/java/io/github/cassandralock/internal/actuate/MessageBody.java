package io.github.cassandralock.internal.actuate;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What happened, and what to do. */
record MessageBody(String message) implements OperationResponseBody {}
