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

    private final Deque<TicketRequest> waiters = new ArrayDeque<>(1);

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    Stream<TicketRequest> stream() {
        return waiters.stream();
    }

    /** A thread that conflicts with no other thread waits for none, so it goes first. */
    void add(TicketRequest waiter) {
        if (waiter.mode() == LockMode.NULL) {
            waiters.addFirst(waiter);
        } else {
            waiters.add(waiter);
        }
    }

    /** Puts threads back to where they were. */
    void requeue(Collection<TicketRequest> begun) {
        List<TicketRequest> inOrder = Stream.concat(stream(), begun.stream())
                .sorted(Comparator.comparingLong(TicketRequest::number))
                .toList();
        waiters.clear();
        waiters.addAll(inOrder);
    }

    boolean remove(TicketRequest waiter) {
        return waiters.remove(waiter);
    }

    /** Removes and returns the requests of this kind. */
    List<TicketRequest> removeAll(Predicate<TicketRequest> kind) {
        List<TicketRequest> removed = stream().filter(kind).toList();
        removed.forEach(this::remove);
        return removed;
    }

    /** Whether a request that conflicts with this one came before it. */
    boolean hasOneBefore(TicketRequest later) {
        return stream().anyMatch(waiter -> waiter.number() < later.number() && waiter.conflictsWith(later.mode()));
    }

    /**
     * Runs the action for each thread, with the least mode that conflicts with all that the thread waits for. The mode covers the
     * thread's own mode. It covers the modes of all earlier threads for which it waits, directly or behind other threads.
     */
    void forEachBehind(BiConsumer<TicketRequest, LockMode> action) {
        Map<LockMode, LockMode> behind = new EnumMap<>(LockMode.class);
        stream().forEach(waiter -> {
            LockMode all = behind.entrySet().stream()
                    .filter(earlier -> waiter.conflictsWith(earlier.getKey()))
                    .map(Map.Entry::getValue)
                    .reduce(waiter.mode(), LockMode::leastCovering);
            behind.merge(waiter.mode(), all, LockMode::leastCovering);
            action.accept(waiter, all);
        });
    }

    /** The first request in this mode, if no request that conflicts comes before it. */
    Optional<TicketRequest> first(LockMode mode) {
        return stream()
                .filter(waiter -> waiter.mode() == mode || waiter.conflictsWith(mode))
                .findFirst()
                .filter(waiter -> waiter.mode() == mode);
    }

    /**
     * Begins the requests that may begin. No later request that conflicts with a waiting request passes it.
     *
     * @param mayBegin whether a request may begin, apart from the requests before it
     * @param begin receives each request that may begin, after its removal
     */
    void begin(Predicate<TicketRequest> mayBegin, Consumer<TicketRequest> begin) {
        Set<LockMode> passedOver = EnumSet.noneOf(LockMode.class);
        Iterator<TicketRequest> waiting = waiters.iterator();
        while (waiting.hasNext() && !passedOver.contains(LockMode.EXCLUSIVE)) {
            TicketRequest waiter = waiting.next();
            if (passedOver.stream().noneMatch(waiter::conflictsWith) && mayBegin.test(waiter)) {
                waiting.remove();
                begin.accept(waiter);
            } else {
                passedOver.add(waiter.mode());
            }
        }
    }
}
