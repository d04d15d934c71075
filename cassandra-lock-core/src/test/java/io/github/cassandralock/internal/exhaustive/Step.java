package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.store.SlotId;

/**
 * What happens next.
 *
 * @param process the number of the process that it concerns
 * @param request the number of the request, notice or slot of that process that it concerns; 0 for other steps
 * @param choice among the answers that there may be; 0 for other steps
 */
record Step(Kind kind, int process, int request, int choice) {

    enum Kind {
        /** A thread of the process requests the lock. */
        START,
        /** The holder begins to convert the lock to another mode. */
        CONVERT,
        /** The holder gives up a conversion that is under way. */
        GIVE_UP,
        /** The holder releases the lock. */
        RELEASE,
        /** The process ends. Its requests may still have effects. */
        CRASH,
        /** From now on, no request of the process reaches the table of sessions. */
        CUT_OFF,
        /** The process stands still. Its requests may have their effects. */
        PAUSE,
        /** The process goes on. */
        RESUME,
        /** A transaction on a session's row is decided. */
        DECIDE,
        /** The answer to a request reaches the process. */
        ANSWER,
        /** The process gets no answer in time. The request may still have its effect. */
        TIME_OUT,
        /** A notice of the process arrives. */
        DELIVER,
        /** A notice of the process arrives, and a copy of it may arrive later. */
        DELIVER_COPY,
        /** A slot of the process expires. Clocks of servers differ: a read may show it or not, until it is written again. */
        EXPIRE,
        /** The next timer of the process ends. */
        TIMER
    }

    static Step of(Kind kind, SmallProcess process) {
        return new Step(kind, process.number(), 0, 0);
    }

    static Step of(Kind kind, SlotId slot, int choice) {
        return new Step(kind, SmallProcess.numberOf(slot.session()), slot.number(), choice);
    }

    static Step of(Kind kind, Request request, int choice) {
        return new Step(kind, request.process().number(), request.number(), choice);
    }
}
