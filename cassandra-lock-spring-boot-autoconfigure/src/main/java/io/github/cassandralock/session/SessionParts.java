package io.github.cassandralock.session;

import io.github.cassandralock.spi.SessionStore;
import io.github.cassandralock.spi.Ticker;
import io.github.cassandralock.spi.Timers;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What sessions work with.
 *
 * @param ids gives ids that no session of any process ever had
 * @param owner says to people whose sessions these are
 */
public record SessionParts(
        SessionStore store, SessionTerms terms, Ticker ticker, Timers timers, Supplier<UUID> ids, String owner) {}
