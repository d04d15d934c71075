package io.github.cassandralock.exactlyonce.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.VersionedRegister;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What copies in one process rely on when they share a store in memory. */
class InMemoryRegisterStoreTest {

    private static final int THREADS = 4;
    private static final int WRITES = 1_000;

    private final InMemoryRegisterStore store = new InMemoryRegisterStore();
    private final WriteIds ids = WriteIds.ofNewProcess();

    @Test
    void refusalShowsWhatIsThere() throws InterruptedException {
        var first = ids.next();
        assertThat(store.read("r")).isEqualTo(StoredValue.neverWritten());
        assertThat(store.compareAndSet("r", 1, new byte[] {9}, ids.next()))
                .isEqualTo(new CompareAndSetAnswer.Refused(StoredValue.neverWritten()));
        assertThat(store.compareAndSet("r", 0, new byte[] {1}, first)).isEqualTo(new CompareAndSetAnswer.Applied());
        assertThat(store.compareAndSet("r", 0, new byte[] {2}, ids.next()))
                .isEqualTo(new CompareAndSetAnswer.Refused(StoredValue.of(1, first, new byte[] {1})));
        assertThat(store.read("r")).isEqualTo(StoredValue.of(1, first, new byte[] {1}));
    }

    @Test
    void ofThreadsThatWriteOneVersionOneIsApplied() throws Exception {
        VersionedRegister register = Registers.of(store).named("r");
        List<FutureTask<Integer>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            FutureTask<Integer> writes = new FutureTask<>(() -> writesApplied(register));
            threads.add(writes);
            new Thread(writes, "writer-" + i).start();
        }
        long applied = 0;
        for (FutureTask<Integer> writes : threads) {
            applied += writes.get(1, TimeUnit.MINUTES);
        }
        assertThat(store.read("r").getVersion()).isEqualTo(applied).isGreaterThanOrEqualTo(WRITES);
    }

    private static int writesApplied(VersionedRegister register) throws InterruptedException {
        int applied = 0;
        for (int i = 0; i < WRITES; i++) {
            long version = register.read().getVersion();
            if (register.compareAndSet(version, new byte[0]) instanceof CompareAndSetOutcome.Applied) {
                applied++;
            }
        }
        return applied;
    }

    @Test
    void limitsAreThoseOfAllStores() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.read(""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.compareAndSet("r", 0, new byte[2_000_000], ids.next()));
    }

    @Test
    void threadThatIsInterruptedWritesNothing() throws InterruptedException {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> store.compareAndSet("r", 0, new byte[0], ids.next()))
                .isInstanceOf(InterruptedException.class);
        assertThat(store.read("r").getVersion()).isZero();
    }
}
