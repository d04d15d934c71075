package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.handler.Inputs.Input;
import io.github.cassandralock.exactlyonce.handler.Suspicion.MessagePlace;
import io.github.cassandralock.exactlyonce.queue.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Tries the function with other messages than the failing one. These are messages before and behind it, near and far, and messages
 * of other queues. Writes nothing. For one failing message. Used by one thread.
 */
final class OtherMessages {

    private static final int TRIED_IN_A_ROUND = 2;

    /** All near distances, then larger and larger ones, both odd and even: every second message may be one that fails. */
    private static final List<Integer> DISTANCES = List.of(2, 3, 4, 5, 6, 7, 8, 13, 21, 34, 55, 89);

    private final HandlerDefinition<?> definition;

    /** Where the next round begins in the list of places. */
    private int next;

    /** The message of the last success in a round. */
    private Optional<Input> succeeded = Optional.empty();

    OtherMessages(HandlerDefinition<?> definition) {
        this.definition = definition;
    }

    /** Calls the user's function with a message and the present state. */
    interface Trial {
        boolean succeedsWith(Input other) throws InterruptedException;
    }

    /**
     * Tries the next few messages. If all of them fail, the last success is repeated: they may be at fault, too. Returns an empty
     * map if there is no other message.
     */
    Map<MessagePlace, Boolean> round(Snapshot seen, MessagePlace failing, Trial trial) throws InterruptedException {
        List<MessagePlace> places = places(seen, failing);
        Map<MessagePlace, Boolean> results = new LinkedHashMap<>();
        for (int looked = 0; looked < places.size() && results.size() < TRIED_IN_A_ROUND; looked++) {
            MessagePlace place = places.get(next++ % places.size());
            if (definition.input(place.queue()).read(place.index()) instanceof Cell.Full full) {
                Input other = new Input(place.queue(), place.index(), full.message());
                boolean success = trial.succeedsWith(other);
                results.put(place, success);
                if (success) {
                    succeeded = Optional.of(other);
                }
            }
        }
        if (!results.containsValue(true)) {
            results.putAll(again(trial));
        }
        return results;
    }

    /** Repeats the message of the last success. Returns an empty map if there was none. */
    Map<MessagePlace, Boolean> again(Trial trial) throws InterruptedException {
        return succeeded.isEmpty()
                ? Map.of()
                : Map.of(MessagePlace.of(succeeded.get()), trial.succeedsWith(succeeded.get()));
    }

    private List<MessagePlace> places(Snapshot seen, MessagePlace failing) {
        List<MessagePlace> places = new ArrayList<>(failing.neighbours(1));
        for (String queue : new TreeSet<>(definition.inputs.keySet())) {
            if (!queue.equals(failing.queue())) {
                MessagePlace head =
                        new MessagePlace(queue, seen.state().input(queue).index());
                places.add(head);
                places.addAll(head.neighbours(1));
            }
        }
        DISTANCES.forEach(distance -> places.addAll(failing.neighbours(distance)));
        return places;
    }
}
