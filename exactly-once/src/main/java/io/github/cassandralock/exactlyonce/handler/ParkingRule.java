package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.handler.Inputs.Input;
import io.github.cassandralock.exactlyonce.handler.Suspicion.MessagePlace;
import io.github.cassandralock.exactlyonce.time.Ticker;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides whether a message with which the function fails is parked (docs/exactly-once.md, section 3, parking). The message must
 * have failed often and for long enough, here and in every other living copy. Here the function must succeed with other messages.
 * Used by one thread.
 */
final class ParkingRule {

    private final HandlerDefinition<?> definition;
    private final HandlerDefinition.Parking parking;
    private final Ticker ticker;
    private final CopiesRegister copies;
    private Optional<Suspicion> present = Optional.empty();
    private OtherMessages others;

    ParkingRule(HandlerDefinition<?> definition, HandlerDefinition.Parking parking, Ticker ticker) {
        this.definition = definition;
        this.parking = parking;
        this.ticker = ticker;
        copies = new CopiesRegister(definition, parking, ticker);
        others = new OtherMessages(definition);
    }

    /** What a failure has shown. */
    sealed interface Finding {

        /** The message is at fault, and is parked. */
        record AtFault() implements Finding {}

        /** Undecided: the message is tried again. */
        record Open() implements Finding {}

        /** The function fails with every message that was tried, for that long: no message is at fault. */
        record AllFail(int messages, Duration lasting) implements Finding {}
    }

    /** Shows that this copy lives. Called repeatedly while it takes messages. */
    void beat() throws InterruptedException {
        copies.beat();
    }

    /**
     * The function failed with a message that it got alone.
     *
     * @param trial calls the function with another message
     */
    Finding failed(Snapshot seen, Input input, OtherMessages.Trial trial) throws InterruptedException {
        MessagePlace message = MessagePlace.of(input);
        Suspicion suspicion = suspicionOf(message);
        if (suspicion.hasLastRoundSucceeded()) {
            suspicion.tried(others.again(trial)); // a dependency of the function may be down since then
        }
        long now = ticker.readNanos();
        suspicion.failed(now);
        if (!suspicion.isDue(parking, now)) {
            copies.withdraw();
        } else if (copies.agreeOn(message, suspicion.succeedsWithAnother(), suspicion.isProven(parking, now))) {
            return new Finding.AtFault();
        }
        suspicion.tried(others.round(seen, message, trial));
        return suspicion.allFail()
                ? new Finding.AllFail(suspicion.tried(), suspicion.lasting(ticker.readNanos()))
                : new Finding.Open();
    }

    private Suspicion suspicionOf(MessagePlace message) {
        return present.filter(known -> known.isOf(message)).orElseGet(() -> {
            others = new OtherMessages(definition); // the last success of the former may be with this message
            Suspicion begun = new Suspicion(message, ticker.readNanos());
            present = Optional.of(begun);
            return begun;
        });
    }
}
