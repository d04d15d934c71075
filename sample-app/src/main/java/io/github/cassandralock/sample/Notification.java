package io.github.cassandralock.sample;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What became of a call that asked for a message.
 *
 * @param sentBy the instance that sent it; null if that is not known yet
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Notification(Outcome outcome, @Nullable String sentBy) {

    enum Outcome {
        /** By this call. */
        SENT,
        /** By an earlier one. */
        ALREADY_SENT,
        /** Another call is sending it now. */
        BEING_SENT
    }

    static Notification sent(WelcomeMessage message) {
        return new Notification(Outcome.SENT, message.sentBy());
    }

    static Notification alreadySent(WelcomeMessage message) {
        return new Notification(Outcome.ALREADY_SENT, message.sentBy());
    }

    static Notification beingSent() {
        return new Notification(Outcome.BEING_SENT, null);
    }
}
