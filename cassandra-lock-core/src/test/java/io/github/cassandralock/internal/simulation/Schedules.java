package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.seeded.PlantedSchedules;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongFunction;

/** The schedules of the ticket lock. For a seed, each returns the violations. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum Schedules implements PlantedSchedules {

    /** Several processes with several threads, and all faults: crashes, partitions and the others. */
    EVERYTHING(in(FaultModel::any)),

    /** The same among processes that exchange notices, or some of which do; notices get lost, late, doubled. */
    NOTICES(withNotices(FaultModel::any, NoticeFaults::any)),

    /** Notices, requests and steps of short holds overtake each other. */
    NOTICE_RACES(withNotices(FaultModel::noticeRaces, NoticeFaults::races)),

    /** Processes that keep locks for long lose their sessions meanwhile. */
    KEPT_LOCKS(withNotices(FaultModel::keptLocks, NoticeFaults::longKept)),

    /** Processes are paused, killed, cut off; messages get lost or are late. */
    CRASHES_AND_PARTITIONS(in(FaultModel::crashesAndPartitions)),

    /** A message may arrive later than one that was sent a whole hold after it, and every holder asks for a token. */
    MANY_TOKENS(in(FaultModel::manyTokens)),

    /** Slots cannot be written for longer than they live. */
    LOST_SLOTS(in(FaultModel::lostSlots)),

    /** A ticket is written again after a refresh of the same slot, which expires earlier and hides it. */
    WRITES_SENT_AGAIN(TicketSituations::writesSentAgain),

    /** A release cannot be written for a while, and others go on by notices. */
    LATE_RELEASES(TicketSituations::lateReleases),

    /** A renewal is sent again because its answer got lost, and cannot be followed by others. */
    RENEWALS_SENT_AGAIN(TicketSituations::renewalsSentAgain),

    /** Lockers close while threads take short locks. */
    CLOSINGS(TicketSchedules::closings),

    /** Locks are force-released, amid all faults. */
    FORCE_RELEASES(TicketSchedules::forceReleases),

    /** Threads ask for the lock in different modes, amid all faults. */
    MODES(TicketSchedules::modes),

    /** The same, and holders convert their handles to other modes. */
    CONVERSIONS(TicketSchedules::conversions),

    /** Readers convert up, and writers down, while messages overtake each other, so that reads show old modes. */
    STALE_MODES(TicketSchedules::staleModes),

    /** Holders convert between modes that do not cover each other, again and again, while others come and go. */
    SIDEWAYS(TicketSchedules::sideways),

    /** A caller gives a conversion up while the answers that decide it wait to be looked at. */
    CONVERSIONS_GIVEN_UP(TicketSituations::conversionsGivenUp),

    /** Owners lock parts of a hierarchy, one after the other, and the whole. */
    PATHS(PathWorld::run),

    /** Owners take several locks by one call, and the locks of their calls overlap. */
    GROUPS(GroupWorld::run),

    /** Holders read and set the value of the lock in all modes, amid all faults. */
    VALUES(TicketSchedules::values),

    /** The same where nothing fails: no value is doubtful then. */
    VALUES_WITHOUT_FAULTS(TicketSchedules::valuesWithoutFaults),

    /** Holders complete one period after the other, amid all faults. */
    PERIODS(TicketSchedules::periods),

    /** Callers take several locks in any order, so that they wait for each other in cycles, amid all faults. */
    DEADLOCKS(DeadlockWorld::anything),

    /** Callers take several locks with permits in any order, so that they wait for each other, amid all faults. */
    DEADLOCKS_OF_PERMITS(DeadlockWorld::permits),

    /** One process has a version without permits, and cannot read the waits of others. */
    DEADLOCKS_OF_TWO_VERSIONS(DeadlockWorld::twoVersions),

    /** Locks stay taken for a minimum time, also while lockers close. */
    MINIMUM_TIMES(TicketSchedules::minimumTimes),

    /** Threads request the lock with permits, amid all faults. */
    PERMITS(TicketSchedules::permits),

    /** Several processes try at once for a permit, and some are farther away than others. */
    TRY_PERMITS_AT_ONCE(PermitSituations::tryAtOnce),

    /** A holder of a permit dies while others take turns with the other permits. */
    DEAD_HOLDER_OF_A_PERMIT(PermitSituations::deadHolder),

    /** A holder of a permit dies while others hold the lock and wait for it for long. */
    DEAD_HOLDER_BESIDE_WAITERS(PermitSituations::deadHolderBesideWaiters),

    /** One process has a version without permits. */
    PERMITS_OF_A_NEW_VERSION(TicketSchedules::permitsOfANewVersion),

    /** Two holders of permits release them and come back at once, and the write of one of them is late. */
    PERMITS_COME_BACK(PermitSituations::comeBack),

    /** Holders of permits release them in any order, and others wait for their turns. */
    PERMITS_IN_TURN(PermitSituations::inTurn),

    /** A holder dies, and the calls of another process give up soon. */
    IMPATIENCE(TicketSituations::impatience),

    /** Many processes die while they wait, and those that wait behind them do not give up. */
    MANY_DEATHS(TicketSituations::manyDeaths),

    /** Processes with different leases, drifts and pauses. */
    MIXED_SETTINGS(in(FaultModel::mixedSettings)),

    /** Renewals of sessions fail, or their answers get lost. */
    LOST_RENEWALS(in(FaultModel::lostRenewals)),

    /** Holders ask for tokens and then pause, and their writes have reached few replicas. */
    SUDDEN_DEATHS(in(FaultModel::suddenDeaths)),

    /** Threads of one process hand the lock over while their session ends. */
    HAND_OVERS(in(FaultModel::handOvers)),

    /** Replicas lose writes that they acknowledged: no lock that relies on quorums is safe then. */
    LOST_SECONDS(TicketSituations::lostSeconds),

    /** A lock in a majority of clusters, which are late, lost and emptied, one minority at a time. */
    MAJORITY(MajorityWorld::run),

    /** The same, and in the end a minority of the clusters stays down. */
    MAJORITY_WITH_CLUSTERS_DOWN(MajorityWorld::minorityDown),

    /** A majority over the ticket lock on simulated replicas, amid all faults. */
    MAJORITY_OF_TICKETS(MajorityWorld::tickets),

    /** A process misses an answer of the lowest cluster, which another one has, and takes the next one; the highest one is down. */
    MAJORITY_CYCLE(MajoritySchedules::cycle),

    /** A holder loses a part, another process takes the lock meanwhile, and then the holder takes another part. */
    MAJORITY_REVIVAL(MajoritySchedules::revival),

    /** A cluster is emptied, and somebody asks for the lock before the loss is known. */
    MAJORITY_GUARD(MajoritySchedules::guard),

    /** A cluster is emptied, and its holder cannot know it. */
    MAJORITY_YOUNG(MajoritySchedules::young),

    /** A cluster forgets its slots alone, and its holder has no answer when it reads the birth row. */
    MAJORITY_UNREAD(MajoritySchedules::unread),

    /** A request for a lock reaches the tables after they were emptied. */
    MAJORITY_LATE_ASKING(MajoritySchedules::lateAsking),

    /** One of the clusters in which a lock is held goes down. */
    MAJORITY_STRENGTHENED(MajoritySchedules::strengthened),

    /** A cluster is emptied that has the last token, and calendars differ by as much as they may. */
    MAJORITY_TOKENS_FORGOTTEN(MajoritySchedules::tokensForgotten),

    /** Two holders that see different clusters ask for tokens, and calendars differ by as much as they may. */
    MAJORITY_TOKENS_SEEN(MajoritySchedules::tokensSeen),

    /** A holder reads the registers and pauses; another one shows a token, and a cluster is emptied that has it. */
    MAJORITY_TOKENS_OVERTAKEN(MajoritySchedules::tokensOvertaken),

    /** A token reaches a cluster after it was emptied. */
    MAJORITY_TOKENS_OF_THE_PAST(MajoritySchedules::tokensOfThePast),

    /** A holder asks for a token and loses the lock before the answers come. */
    MAJORITY_TOKENS_LATE(MajoritySchedules::tokensLate),

    /** A cluster is emptied, and one of those who find that is configured otherwise than all others. */
    MAJORITY_MISCONFIGURED(MajoritySchedules::misconfigured),

    /** Several processes try a free lock of a majority at once. */
    MAJORITY_TRY_AT_ONCE(MajoritySchedules::tryAtOnce),

    /** Processes of which some use the algorithm ticket or majority alone, and some migrate between them. */
    MIGRATION(MigrationSchedules::holders),

    /** A process that holds the lock under both loses the half that another process uses. */
    MIGRATION_HALF_LOST(MigrationSchedules::halfLost),

    /** One after the other takes the lock, and asks for its token. */
    MIGRATION_TOKENS(MigrationSchedules::tokens),

    /** Several processes try at once, and some are farther away than others. */
    TRY_AT_ONCE(TicketSituations::tryAtOnce);

    private final LongFunction<List<String>> schedule;

    Schedules(LongFunction<List<String>> schedule) {
        this.schedule = schedule;
    }

    @Override
    public String basePackage() {
        return "io.github.cassandralock.internal.";
    }

    @Override
    public List<String> reloaded() {
        return List.of(
                "steps.", "session.", "deadlock.", "ticket.", "majority.", "migration.", "locker.", "simulation.");
    }

    @Override
    public List<String> onlyWholeMethods() {
        return List.of("ticket.slot.", "ticket.lock.Placement");
    }

    @Override
    public List<String> apply(long seed) {
        return schedule.apply(seed);
    }

    private static LongFunction<List<String>> in(Function<SplittableRandom, FaultModel> faultModel) {
        return seed -> TicketSchedules.run(seed, faultModel.apply(new SplittableRandom(seed)));
    }

    private static LongFunction<List<String>> withNotices(
            Function<SplittableRandom, FaultModel> faultModel, Function<SplittableRandom, NoticeFaults> noticeFaults) {
        return seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            return TicketSchedules.run(seed, faultModel.apply(random), noticeFaults.apply(random));
        };
    }
}
