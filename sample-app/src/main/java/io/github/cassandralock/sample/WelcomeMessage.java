package io.github.cassandralock.sample;

import java.time.Instant;

/** An SMS that went out. */
record WelcomeMessage(String account, String sentBy, Instant sentAt) {}
