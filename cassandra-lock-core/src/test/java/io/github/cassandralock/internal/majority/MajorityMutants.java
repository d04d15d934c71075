package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/** Faults of the algorithm {@code majority} (docs/majority.md, section 9), each with the violation that it causes. */
final class MajorityMutants {

    private MajorityMutants() {}

    static Stream<Mutant> all() {
        return Stream.concat(ofAttempts(), Stream.concat(ofClusters(), ofTokens()));
    }

    private static Stream<Mutant> ofAttempts() {
        return Stream.of(
                Mutant.of(
                        Schedules.MAJORITY_CIRCLE,
                        Violation.NOT_SERVED,
                        "majority: a skipped cluster is waited for below others",
                        "majority.MajorityAttempt",
                        "Asking.soft(cluster, lockId, names.next(), context)",
                        "Asking.waiting(cluster, lockId, names.next())"),
                Mutant.of(
                                Schedules.MAJORITY_WITH_CLUSTERS_DOWN,
                                Violation.NOT_SERVED,
                                "majority: a process that sees a minority holds it",
                                "majority.MajorityAttempt",
                                "present != null && !(clusters.majorityCounts() && clusters.counts(present.cluster()))",
                                "present != null && !clusters.counts(present.cluster())")
                        .and(
                                "} else if (!clusters.majorityCounts()) { holding.giveBack();",
                                "} else if (false) { holding.giveBack();")
                        .and("} else if (clusters.majorityCounts()) {", "} else if (true) {")
                        .and(
                                "if (number == clusters.size()) { askSkipped(0);",
                                "if (number == clusters.size()) { context.timers().after(context.settings().nodeTimeout())"
                                        + ".thenRunAsync(() -> askSkipped(0), mailbox);")
                        .and(
                                "private void pauseAndBeginAgain() { holding.giveBack();",
                                "private void pauseAndBeginAgain() { if (holding.parts().size() < clusters.size()) { context.timers().after(nextPause).thenRunAsync(() -> askSkipped(0), mailbox); return; }"),
                Mutant.of(
                        Schedules.MAJORITY,
                        Violation.NOT_SERVED,
                        "majority: there is no common order of the clusters",
                        "majority.MajorityAttempt",
                        "ClusterWatch cluster = clusters.all().get(number); if (clusters.counts(cluster)) { follow(Asking.waiting(",
                        "ClusterWatch cluster = clusters.all().get((number + Math.floorMod(names.hashCode(), clusters.size())) % clusters.size());"
                                + " if (clusters.counts(cluster)) { follow(Asking.waiting("),
                Mutant.of(
                        Schedules.MAJORITY,
                        Violation.TWO_HOLDERS,
                        "majority: two askings have the same thread name",
                        "majority.ThreadNames",
                        "return threadId + \"-\" + number.incrementAndGet();",
                        "return threadId;"),
                Mutant.of(
                        Schedules.MAJORITY_REVIVAL,
                        Violation.TWO_HOLDERS,
                        "majority: a lost grant revives when a part is taken again",
                        "majority.MajorityGrant",
                        "if (Holding.isMajority(others, clusters)) {",
                        "if (true) {"),
                Mutant.of(
                                Schedules.MAJORITY_REVIVAL,
                                Violation.TWO_HOLDERS,
                                "majority: validity is not latched",
                                "majority.MajorityGrant",
                                "while (state.get() == State.HELD) { List<Part> seen = parts(); if (Holding.isMajority(seen, clusters)) {"
                                        + " return state.get() == State.HELD; } if (parts() == seen) { lose(); } } return false;",
                                "return state.get() != State.RELEASED && Holding.isMajority(parts(), clusters);")
                        .and("if (Holding.isMajority(others, clusters)) {", "if (true) {")
                        .and(
                                "while (state.get() == State.HELD) { List<Part> seen = parts(); List<Part> others",
                                "while (state.get() != State.RELEASED) { List<Part> seen = parts(); List<Part> others"),
                Mutant.of(
                        Schedules.MAJORITY,
                        Violation.TWO_HOLDERS,
                        "majority: half of the clusters are enough",
                        "majority.Clusters",
                        "this.majority = clusters.size() / 2 + 1;",
                        "this.majority = clusters.size() / 2;"),
                Mutant.of(
                        Schedules.MAJORITY_TRY_AT_ONCE,
                        Violation.NOT_SERVED,
                        "majority: tryGetLock goes on after a refusal",
                        "majority.SoftMajorityAttempt",
                        "} else if (answer instanceof Answer.Refused) {",
                        "} else if (answer instanceof Answer.Refused && number == clusters.size() - 1) {"));
    }

    private static Stream<Mutant> ofClusters() {
        return Stream.of(
                Mutant.of(
                        Schedules.MAJORITY_OF_TICKETS,
                        Violation.TWO_HOLDERS,
                        "majority: there is no guard, over the ticket lock",
                        "majority.Asking",
                        "cluster.isStill(before).whenComplete(",
                        "java.util.concurrent.CompletableFuture.completedFuture(true).whenComplete("),
                Mutant.of(
                        Schedules.MAJORITY_GUARD,
                        Violation.TWO_HOLDERS,
                        "majority: there is no guard",
                        "majority.Asking",
                        "cluster.isStill(before).whenComplete(",
                        "java.util.concurrent.CompletableFuture.completedFuture(true).whenComplete("),
                Mutant.of(
                        Schedules.MAJORITY_YOUNG,
                        Violation.TWO_HOLDERS,
                        "majority: a young cluster counts",
                        "majority.ClusterWatch",
                        "return answers && birth != null && birth.maturity().isAtLeast(Maturity.MATURE);",
                        "return answers && birth != null;"),
                Mutant.of(
                        Schedules.MAJORITY_UNREAD,
                        Violation.TWO_HOLDERS,
                        "majority: a part is valid while its cluster is not seen",
                        "majority.Part",
                        "return cluster.hasShown(epoch) && grant.isValid();",
                        "return isOfItsCluster() && grant.isValid();"),
                Mutant.of(
                        Schedules.MAJORITY_LATE_ASKING,
                        Violation.NOT_SERVED,
                        "majority: the session goes on after a loss",
                        "majority.ClusterWatch",
                        "algorithm().renounce(forgotten());",
                        ""),
                Mutant.of(
                        Schedules.MAJORITY,
                        Violation.TWO_HOLDERS,
                        "majority: an incarnation is used twice",
                        "majority.ClusterWatch",
                        "refused = null; return cluster",
                        "refused = fresh; return cluster"),
                Mutant.of(
                        Schedules.MAJORITY_MISCONFIGURED,
                        Violation.NOT_SERVED,
                        "majority: a process that is configured otherwise writes a birth",
                        "majority.Clusters",
                        "return answering >= majority && misconfiguration().isEmpty() && !oneClusterTwice;",
                        "return answering >= majority;"),
                Mutant.of(
                        Schedules.MAJORITY_MISCONFIGURED,
                        Violation.NOT_SERVED,
                        "majority: a birth is written before others are looked at",
                        "majority.Clusters",
                        "return answering >= majority && misconfiguration()",
                        "return answering > 0 && misconfiguration()"),
                Mutant.of(
                        Schedules.MAJORITY_STRENGTHENED,
                        Violation.LOST_IN_VAIN,
                        "majority: a holder stays with a bare majority",
                        "majority.MajorityGrant",
                        "if (context.settings().strengthen()) {",
                        "if (false) {"),
                Mutant.of(
                        Schedules.MAJORITY,
                        Violation.NEVER_TOLD,
                        "majority: a holder is not told that its lock is lost",
                        "majority.MajorityGrant",
                        "lost.complete(\"its parts",
                        "java.util.Objects.requireNonNull(\"its parts"));
    }

    private static Stream<Mutant> ofTokens() {
        return Stream.of(
                Mutant.of(
                                Schedules.MAJORITY_TOKENS_SEEN,
                                Violation.TOKEN_ORDER,
                                "majority: a token is written to one cluster",
                                "majority.MajorityToken",
                                "received.size() == needed",
                                "received.size() == (condition.equals(\"answer\") ? 1 : needed)")
                        .and(
                                "} else if (received.size() + open < needed) {",
                                "} else if (received.isEmpty() && open == 0) {")
                        .and("if (asked.size() < clusters.majority()) {", "if (asked.isEmpty()) {")
                        .and(
                                ".filter(seen -> seen.view().incarnation().isPresent())",
                                ".filter(seen -> seen.view().isMature()).limit(1)"),
                Mutant.of(
                        Schedules.MAJORITY_TOKENS_OVERTAKEN,
                        Violation.TOKEN_ORDER,
                        "majority: a token is written in incarnations that are younger than its grant",
                        "majority.MajorityToken",
                        "return write(noted, next)",
                        "return write(clusters.all().stream().map(cluster -> new Seen(cluster, cluster.view())).toList(), next)"),
                Mutant.of(
                        Schedules.MAJORITY_TOKENS_LATE,
                        Violation.TOKEN_ORDER,
                        "majority: a token is shown without a last look at the grant",
                        "majority.MajorityToken",
                        "private long shown(long next) { requireValid();",
                        "private long shown(long next) {"),
                Mutant.of(
                        Schedules.MAJORITY_TOKENS_FORGOTTEN,
                        Violation.TOKEN_ORDER,
                        "majority: tokens have no floor",
                        "majority.MajorityToken",
                        "? 0 : floor(",
                        "? 0 : 0 * floor("),
                Mutant.of(
                        Schedules.MAJORITY_TOKENS_FORGOTTEN,
                        Violation.TOKEN_ORDER,
                        "majority: tokens are read from young clusters",
                        "majority.ClusterWatch",
                        "return isMature() && birth != null && birth.maturity().isAtLeast(Maturity.TOKEN_MATURE);",
                        "return isMature();"),
                Mutant.of(
                                Schedules.MAJORITY_TOKENS_OF_THE_PAST,
                                Violation.TOKEN_ORDER,
                                "majority: a new incarnation reads the tokens of an old one",
                                "simulation.SimulatedClusterLock",
                                "cluster.raise(incarnation, token)",
                                "cluster.raise(new UUID(0, 0), token)")
                        .and("cluster.token(incarnation)", "cluster.token(new UUID(0, 0))"));
    }
}
