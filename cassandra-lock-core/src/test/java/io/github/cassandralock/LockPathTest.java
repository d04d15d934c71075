package io.github.cassandralock;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a path stands for, and which locks a request for it takes. Costs nothing; it fails if a node above would not keep out who it must. */
@SuppressWarnings("NullAway") // callers may pass null
class LockPathTest {

    private static final LockPath ACCOUNT = LockPath.of("bank", "accounts", "42");

    private static List<String> taken(MultiLockRequest requests) {
        return requests.getRequests().stream()
                .map(request -> request.getLockId() + " " + request.getMode())
                .toList();
    }

    @Test
    void pathIsAChildOfItsParent() {
        assertThat(ACCOUNT.getLockId()).isEqualTo("bank/accounts/42").hasToString(ACCOUNT.toString());
        assertThat(ACCOUNT.getParent()).contains(LockPath.of("bank", "accounts"));
        assertThat(LockPath.of("bank").getParent()).isEmpty();
        assertThat(LockPath.of("bank").child("accounts").child("42"))
                .isEqualTo(ACCOUNT)
                .hasSameHashCodeAs(ACCOUNT)
                .isGreaterThan(LockPath.of("bank", "accounts"))
                .isNotEqualTo(LockPath.of("bank", "accounts", "43"));
    }

    @Test
    void badPartsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockPath.of("bank", ""))
                .withMessageContaining("The part after 'bank' of a lock path is blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockPath.of(" "))
                .withMessageContaining("The first part of a lock path is blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockPath.of("bank", "a/b"))
                .withMessageContaining("The part 'a/b' of a lock path contains '/'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockPath.of("bank", (String) null))
                .withMessageContaining("is null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockPath.of("bank", (String[]) null))
                .withMessageContaining("is null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockPath.of("bank").child("x".repeat(508)))
                .withMessageContaining("513 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockPath.of("bank", "a\tb"))
                .withMessageContaining("control character");
    }

    @ParameterizedTest
    @CsvSource({
        "NULL, NULL",
        "CONCURRENT_READ, CONCURRENT_READ",
        "PROTECTED_READ, CONCURRENT_READ",
        "CONCURRENT_WRITE, CONCURRENT_WRITE",
        "PROTECTED_WRITE, CONCURRENT_WRITE",
        "EXCLUSIVE, CONCURRENT_WRITE",
    })
    void everythingAboveIsTakenInTheModeOfTheIntention(LockMode mode, LockMode above) {
        assertThat(taken(MultiLockRequest.ofPath(ACCOUNT).mode(mode)))
                .containsExactly("bank " + above, "bank/accounts " + above, "bank/accounts/42 " + mode);
    }

    /** Who locks a node in a mode that keeps out a mode below it is not compatible with the intention of that. */
    @ParameterizedTest
    @EnumSource
    void intentionConflictsWithWhoeverLocksAWholePartInAModeThatConflicts(LockMode below) {
        for (LockMode whole : List.of(PROTECTED_READ, EXCLUSIVE)) {
            assertThat(below.getIntention().isCompatibleWith(whole))
                    .as("%s below %s", below, whole)
                    .isEqualTo(below.isCompatibleWith(whole));
        }
    }

    @Test
    void whatIsAboveTwoPathsIsTakenOnceInTheLeastModeThatCoversBoth() {
        LockPath balance = LockPath.of("bank", "balance");
        assertThat(taken(MultiLockRequest.ofPaths(Map.of(ACCOUNT, EXCLUSIVE, balance, PROTECTED_READ))))
                .containsExactly(
                        "bank CONCURRENT_WRITE",
                        "bank/accounts CONCURRENT_WRITE",
                        "bank/accounts/42 EXCLUSIVE",
                        "bank/balance PROTECTED_READ");
    }

    @Test
    void nodeThatIsNamedItselfIsTakenInAModeThatCoversTheIntention() {
        LockPath accounts = LockPath.of("bank", "accounts");
        assertThat(taken(MultiLockRequest.ofPaths(Map.of(ACCOUNT, EXCLUSIVE, accounts, PROTECTED_READ))))
                .containsExactly(
                        "bank CONCURRENT_WRITE", "bank/accounts " + PROTECTED_WRITE, "bank/accounts/42 EXCLUSIVE");
    }

    @Test
    void requestForPathsKeepsItsMinimumTimeAndItsOwnerIfItsModeChanges() {
        LockOwner owner = LockOwner.named("transfer");
        MultiLockRequest read = MultiLockRequest.ofPath(ACCOUNT)
                .holdAtLeast(Duration.ofSeconds(3))
                .owner(owner)
                .mode(PROTECTED_READ);
        assertThat(read.getRequests())
                .allMatch(request -> request.getHoldAtLeast().equals(Duration.ofSeconds(3)))
                .allMatch(request -> request.getOwner().orElseThrow().equals(owner))
                .extracting(request -> request.getPath().orElseThrow().getLockId())
                .containsExactly("bank", "bank/accounts", "bank/accounts/42");
        assertThat(read.getRequests().get(0).getMode()).isEqualTo(CONCURRENT_READ);
    }

    @Test
    void requestThatIsMadeOfNodesIsOneForTheirPaths() {
        MultiLockRequest paths =
                MultiLockRequest.ofPaths(Map.of(ACCOUNT, EXCLUSIVE, LockPath.of("bank"), PROTECTED_READ));
        MultiLockRequest again = MultiLockRequest.ofAll(paths.getRequests());
        assertThat(again).isEqualTo(paths);
        assertThat(again.mode(PROTECTED_READ)).isEqualTo(paths.mode(PROTECTED_READ));
        LockRequest leaf = MultiLockRequest.ofPath(ACCOUNT).getRequests().get(2);
        assertThat(MultiLockRequest.ofAll(List.of(leaf, LockRequest.of("prices")))
                        .mode(PROTECTED_READ)
                        .getRequests())
                .extracting(request -> request.getLockId() + " " + request.getMode())
                .containsExactly(
                        "bank CONCURRENT_READ",
                        "bank/accounts CONCURRENT_READ",
                        "bank/accounts/42 PROTECTED_READ",
                        "prices PROTECTED_READ");
    }

    @Test
    void badRequestsForPathsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.ofPath(null))
                .withMessageContaining("null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.ofPaths(Map.of()))
                .withMessageContaining("The collection of lock paths is empty")
                .withMessageContaining("e.g. LockPath.of(");
        Map<LockPath, LockMode> withoutMode = new HashMap<>();
        withoutMode.put(ACCOUNT, null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.ofPaths(withoutMode))
                .withMessageContaining("The mode for lock 'bank/accounts/42' is null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLockRequest.ofPath(ACCOUNT).mode(null))
                .withMessageContaining("is null");
    }

    @Test
    void locksThatAreTakenTogetherBelongToOneOwner() {
        LockOwner one = LockOwner.named("one");
        LockRequest a = LockRequest.of("a").owner(one);
        assertThat(MultiLockRequest.ofAll(Arrays.asList(a, LockRequest.of("b"))).getRequests())
                .allMatch(request -> request.getOwner().orElseThrow().equals(one));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        MultiLockRequest.ofAll(List.of(a, LockRequest.of("b").owner(LockOwner.named("other")))))
                .withMessageContaining("more than one owner, owner 'one' and owner 'other'");
    }

    @Test
    void ownersAreThemselvesAndThreadsAreTheirOwn() {
        assertThat(LockOwner.named("x")).isNotEqualTo(LockOwner.named("x")).hasToString("owner 'x'");
        LockOwner here = LockOwner.ofCurrentThread();
        assertThat(here).isEqualTo(LockOwner.ofCurrentThread()).hasSameHashCodeAs(LockOwner.ofCurrentThread());
        assertThat(CompletableFuture.supplyAsync(LockOwner::ofCurrentThread))
                .succeedsWithin(Duration.ofSeconds(10))
                .isNotEqualTo(here);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOwner.named(" "))
                .withMessageContaining("blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOwner.named("transfer\n2026-01-01 ERROR"))
                .withMessage(
                        "The name of a lock owner 'transfer\\u000A2026-01-01 ERROR' contains the control character U+000A; use"
                                + " printable characters only");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOwner.named("x".repeat(513)))
                .withMessageContaining("513 bytes long in UTF-8; at most 512 are allowed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("k").owner(null))
                .withMessageContaining("The owner for lock 'k' is null");
        assertThat(NULL.getIntention()).isEqualTo(NULL);
        assertThat(CONCURRENT_WRITE.getIntention()).isEqualTo(CONCURRENT_WRITE);
    }
}
