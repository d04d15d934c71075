package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The requests of this process for one lock that have no slot yet, in the order of their arrival. Not thread-safe. */
final class WaitingList {

    private final Deque<TicketRequest> requests = new ArrayDeque<>(1);

    boolean isEmpty() {
        return requests.isEmpty();
    }

    Stream<TicketRequest> stream() {
        return requests.stream();
    }

    /** Adds a request. A request that conflicts with no other request waits for none, so it goes first. */
    void add(TicketRequest request) {
        if (request.mode() == LockMode.NULL) {
            requests.addFirst(request);
        } else {
            requests.add(request);
        }
    }

    /** Puts requests back to their former places. */
    void requeue(Collection<TicketRequest> begun) {
        List<TicketRequest> inOrder = Stream.concat(stream(), begun.stream())
                .sorted(Comparator.comparingLong(TicketRequest::number))
                .toList();
        requests.clear();
        requests.addAll(inOrder);
    }

    boolean remove(TicketRequest request) {
        return requests.remove(request);
    }

    /** Removes and returns the requests that the predicate selects. */
    List<TicketRequest> removeAll(Predicate<TicketRequest> kind) {
        List<TicketRequest> removed = stream().filter(kind).toList();
        removed.forEach(this::remove);
        return removed;
    }

    /** Whether an earlier request conflicts with this request. */
    boolean hasOneBefore(TicketRequest later) {
        return stream().anyMatch(request -> request.number() < later.number() && request.conflictsWith(later.mode()));
    }

    /**
     * What requests need that wait one behind the other.
     *
     * @param mode the least mode that conflicts with all that the last request waits for
     * @param permits the least number of permits of the requests
     */
    record Need(LockMode mode, int permits) {

        static Need of(TicketRequest request) {
            return new Need(request.mode(), request.permits());
        }

        Need and(Need ahead) {
            return new Need(mode.leastCovering(ahead.mode), Math.min(permits, ahead.permits));
        }
    }

    /** Runs the action for each request. The need covers the request and all earlier requests for which it waits. */
    void forEachBehind(BiConsumer<TicketRequest, Need> action) {
        Map<LockMode, Need> behind = new EnumMap<>(LockMode.class);
        stream().forEach(request -> {
            Need all = behind.entrySet().stream()
                    .filter(earlier -> request.conflictsWith(earlier.getKey()))
                    .map(Map.Entry::getValue)
                    .reduce(Need.of(request), Need::and);
            behind.merge(request.mode(), all, Need::and);
            action.accept(request, all);
        });
    }

    /** The first request in this mode and with these permits, if no request that conflicts comes before it. */
    Optional<TicketRequest> first(LockMode mode, int permits) {
        return stream()
                .filter(request -> request.isFor(mode, permits) || request.conflictsWith(mode))
                .findFirst()
                .filter(request -> request.isFor(mode, permits));
    }

    /**
     * Begins the requests that may begin. No later request that conflicts with a waiting request passes it.
     *
     * @param mayBegin whether a request may begin, apart from the requests before it
     * @param begin receives each request that may begin, after its removal
     */
    void begin(Predicate<TicketRequest> mayBegin, Consumer<TicketRequest> begin) {
        Set<LockMode> passedOver = EnumSet.noneOf(LockMode.class);
        Iterator<TicketRequest> waiting = requests.iterator();
        while (waiting.hasNext() && !passedOver.contains(LockMode.EXCLUSIVE)) {
            TicketRequest request = waiting.next();
            if (passedOver.stream().noneMatch(request::conflictsWith) && mayBegin.test(request)) {
                waiting.remove();
                begin.accept(request);
            } else {
                passedOver.add(request.mode());
            }
        }
    }
}
