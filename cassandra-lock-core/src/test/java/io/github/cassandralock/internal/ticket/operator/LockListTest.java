package io.github.cassandralock.internal.ticket.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.SessionInfo;
import io.github.cassandralock.internal.inspect.InspectedSlot;
import io.github.cassandralock.internal.inspect.InspectedSlots;
import io.github.cassandralock.internal.inspect.InspectionStore;
import io.github.cassandralock.internal.inspect.LockIds;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.ScheduledTimers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Would catch locks that a list leaves out or has twice, free locks in it, and a list that reads without a bound. */
class LockListTest {

    private static final UUID SESSION = new UUID(0, 1);

    private final ScheduledTimers timers = new ScheduledTimers();
    private final AtomicLong now = new AtomicLong();
    private final Table table = new Table();
    private final TicketInspection inspection =
            new TicketInspection(table, Optional::empty, TicketSettings.of(Duration.ofMillis(50)), timers, now::get);

    @AfterEach
    void close() {
        timers.close();
    }

    /** Whether each lock is taken, in the order of a scan. */
    private final class Table implements InspectionStore {

        private final NavigableMap<String, Boolean> locks = new TreeMap<>();
        private int parts;
        private int reads;
        private Duration scan = Duration.ZERO;
        private String unreadable = "";
        private Optional<String> unread = Optional.empty();

        private void add(String name, int count, boolean taken) {
            IntStream.range(0, count).forEach(number -> locks.put(name + String.format("%05d", number), taken));
        }

        @Override
        public CompletionStage<InspectedSlots> slots(String lockId) {
            reads++;
            if (lockId.equals(unreadable)) {
                return CompletableFuture.failedFuture(new IllegalStateException("node down"));
            }
            SlotPhase phase = Boolean.TRUE.equals(locks.get(lockId)) ? SlotPhase.TICKETED : SlotPhase.IDLE;
            Slot slot = new Slot(new SlotId(SESSION, 0), 1, phase, LockMode.EXCLUSIVE, 1, Slot.NO_BASE);
            return CompletableFuture.completedFuture(
                    new InspectedSlots(List.of(new InspectedSlot(slot, Optional.empty())), OptionalLong.empty()));
        }

        @Override
        public CompletionStage<LockIds> lockIds(String part, int most) {
            parts++;
            now.addAndGet(scan.toNanos());
            List<String> ids =
                    locks.tailMap(part, false).keySet().stream().limit(most).toList();
            return CompletableFuture.completedFuture(
                    new LockIds(ids, ids.size() < most ? Optional.empty() : Optional.of(ids.get(most - 1)), unread));
        }

        @Override
        public CompletionStage<List<SessionInfo>> sessions(Collection<UUID> ids) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletionStage<List<SessionInfo>> anySessions(int most) {
            return CompletableFuture.completedFuture(List.of());
        }
    }

    private LockPage page(String idPrefix, String page) {
        return inspection.list(idPrefix, page).toCompletableFuture().join();
    }

    private List<String> listed(String idPrefix) {
        List<String> ids = new ArrayList<>();
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            LockPage page = page(idPrefix, next.get());
            assertThat(page.locks()).hasSizeLessThanOrEqualTo(LockPage.MAX_LOCKS);
            page.locks().stream().map(LockState::lockId).forEach(ids::add);
            next = page.next();
        }
        return ids;
    }

    @Test
    void pagesHaveEachTakenLockOfThePrefixOnce() {
        table.add("invoice:", 250, true);
        table.add("free:", 330, false);
        table.add("order:", 70, true);

        assertThat(listed("")).hasSize(320).doesNotHaveDuplicates().noneMatch(id -> id.startsWith("free:"));
        assertThat(listed("order:")).hasSize(70);
        assertThat(listed("nothing:")).isEmpty();
    }

    @Test
    void onePageLooksThroughBoundedPartsAndNamesTheNextOne() {
        table.add("a", 5_000, false);
        table.add("b", 1, true);

        LockPage page = page("", "");

        assertThat(page.locks()).isEmpty();
        assertThat(page.next()).isPresent();
        assertThat(table.parts).isEqualTo(10);
        assertThat(table.reads).isEqualTo(1_000);
        assertThat(listed("")).containsExactly("b00000");
    }

    @Test
    void failedReadEndsThePageBeforeItAndFailsTheNextPage() {
        table.add("a", 250, false);
        table.add("b", 1, true);
        table.unreadable = "a00217";

        LockPage page = page("", "");

        assertThat(page.locks()).isEmpty();
        assertThat(page.next()).contains("a00199");
        assertThatThrownBy(() -> page("", "a00199")).hasRootCauseMessage("node down");
        table.unreadable = "";
        assertThat(page("", "a00199").locks()).hasSize(1);
    }

    @Test
    void pageOfASlowTableEndsInTimeForTheCaller() {
        table.add("a", 5_000, false);
        table.scan = Duration.ofSeconds(2);

        assertThat(page("", "").next()).contains("a00199");
        assertThat(table.parts).isEqualTo(2);
    }

    @Test
    void partThatIsMissingIsReportedAtOnce() {
        table.add("a", 5_000, false);
        table.unread = Optional.of("a part of the table could not be read");

        LockPage page = page("", "");

        assertThat(page.unread()).isEqualTo(table.unread);
        assertThat(page.next()).contains("a00099");
    }

    @Test
    void locksWithAnotherBeginningAreNotRead() {
        table.add("a", 90, true);

        assertThat(page("b", "").locks()).isEmpty();
        assertThat(table.reads).isZero();
    }
}
