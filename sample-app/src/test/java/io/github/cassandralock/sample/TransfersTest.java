package io.github.cassandralock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

/** What a transfer does if something breaks. Costs nothing: the locks are in memory, and the accounts are mocks. */
class TransfersTest {

    private static final BankProperties PROPERTIES =
            new BankProperties(null, Duration.ofSeconds(10), new BankProperties.Closing(Duration.ofSeconds(10)));

    private final InMemoryRemoteLocker locks = new InMemoryRemoteLocker();
    private final Accounts accounts = mock(Accounts.class);
    private final Transfers transfers = new Transfers(locks, accounts, PROPERTIES);

    @BeforeEach
    void open() {
        when(accounts.get("alice")).thenReturn(new Account("alice", 100, 1));
        when(accounts.get("bob")).thenReturn(new Account("bob", 100, 1));
    }

    @AfterEach
    void close() {
        locks.close();
    }

    private void transferTen() {
        transfers.transfer("alice", "bob", new Amount(10));
    }

    private void verifyWrites(int count) {
        verify(accounts, times(count)).saveBoth(new Account("alice", 90, 2), new Account("bob", 110, 2));
    }

    @Test
    void nothingIsWrittenIfOneOfTheLocksIsLostBefore() {
        when(accounts.get("bob")).thenAnswer(read -> {
            locks.lose("account:alice", "the lease ran out");
            return new Account("bob", 100, 1);
        });
        assertThatExceptionOfType(LockLostException.class).isThrownBy(this::transferTen);
        verify(accounts, never()).saveBoth(any(), any());
    }

    @Test
    void writeWithUnknownOutcomeIsSentAgainUnderTheSameLocks() {
        doThrow(new QueryTimeoutException("unknown"))
                .doAnswer(write -> {
                    assertThat(locks.tryGetLock("account:alice")).isEmpty();
                    assertThat(locks.tryGetLock("account:bob")).isEmpty();
                    return null;
                })
                .when(accounts)
                .saveBoth(any(), any());
        transferTen();
        verifyWrites(2);
        assertThat(locks.tryGetLock("account:bob")).as("free afterwards").isPresent();
    }

    @Test
    void writeIsNotSentAgainWithoutTheLocks() {
        doAnswer(write -> {
                    locks.lose("account:bob", "the lease ran out");
                    throw new QueryTimeoutException("unknown");
                })
                .when(accounts)
                .saveBoth(any(), any());
        assertThatExceptionOfType(LockLostException.class).isThrownBy(this::transferTen);
        verifyWrites(1);
    }

    @Test
    void writeThatFailsAgainAndAgainFailsTheTransfer() {
        doThrow(new QueryTimeoutException("unknown")).when(accounts).saveBoth(any(), any());
        assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(this::transferTen);
        verifyWrites(3);
    }

    @Test
    void bothBalancesAreOneLoggedBatch() {
        CqlTemplate cql = mock(CqlTemplate.class);
        new Accounts(cql).saveBoth(new Account("alice", 90, 2), new Account("bob", 110, 2));
        ArgumentCaptor<Statement<?>> sent = ArgumentCaptor.captor();
        verify(cql).execute(sent.capture());
        assertThat(sent.getValue()).isInstanceOfSatisfying(BatchStatement.class, batch -> {
            assertThat(batch.getBatchType()).isEqualTo(BatchType.LOGGED);
            assertThat(batch).hasSize(2);
            assertThat(batch.isIdempotent()).isTrue();
        });
    }
}
