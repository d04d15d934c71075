package io.github.cassandralock.exactlyonce.table;

/**
 * A message that has failed and waits until it is tried again.
 *
 * @param id its number in the queue
 * @param failures how often its effect has failed
 * @param reason of the last failure, of at most 500 characters
 */
public record FailedMessage(long id, int failures, String reason) {}
