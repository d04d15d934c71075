package io.github.cassandralock.internal.deadlock;

import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.PublishedHold;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the victim of a cycle is told (lock modes, section 7). */
class DeadlockCycleTest {

    private static PublishedWait waits(String owner, String lockId, long converts, LockMode from, PublishedHold held) {
        return new PublishedWait(
                new WaitId(new UUID(0, owner.hashCode()), 1),
                1,
                new WaitingCall(
                        owner, "host-1", lockId, EXCLUSIVE, EXCLUSIVE, 1, 0, 1, 1, converts, from, List.of(held)));
    }

    private static DeadlockCycle cycle(PublishedWait... waits) {
        return new DeadlockCycle(List.of(waits), List.of());
    }

    @Test
    void messageNamesWhoWaitsForWhatBecauseOfWhom() {
        DeadlockCycle cycle = cycle(
                waits("A", "x", WaitingCall.NONE, NULL, new PublishedHold(1, "y", EXCLUSIVE)),
                waits("B", "y", WaitingCall.NONE, NULL, new PublishedHold(2, "x", EXCLUSIVE)));
        assertThat(cycle.exception())
                .hasMessageContaining("Lock 'x' was not granted")
                .hasMessageContaining(
                        "A (host-1) waits for lock 'x' in mode EXCLUSIVE, because of B (host-1), which waits for lock"
                                + " 'y' in mode EXCLUSIVE, because of the first. Close the locks that A holds, so that");
    }

    /** The other one waits for the lock that was to be converted. */
    @Test
    void victimThatConvertsIsToldToCloseTheConvertedLockToo() {
        DeadlockCycle cycle = cycle(
                waits("A", "x", 1, PROTECTED_READ, new PublishedHold(1, "x", PROTECTED_READ)),
                waits("B", "x", 2, PROTECTED_READ, new PublishedHold(2, "x", PROTECTED_READ)));
        assertThat(cycle.exception())
                .hasMessageContaining("was not converted to mode EXCLUSIVE, and is still held in mode PROTECTED_READ")
                .hasMessageContaining("Close the locks that A holds, this lock included, so that")
                .hasMessageContaining("take a lock in the strongest mode that you will need");
    }

    @Test
    void callThatWaitsBehindItselfIsTheWholeCycle() {
        DeadlockCycle cycle = cycle(waits("A", "x", WaitingCall.NONE, NULL, new PublishedHold(1, "x", PROTECTED_READ)));
        assertThat(cycle.text()).isEqualTo("A (host-1) waits for lock 'x' in mode EXCLUSIVE, behind itself");
    }
}
