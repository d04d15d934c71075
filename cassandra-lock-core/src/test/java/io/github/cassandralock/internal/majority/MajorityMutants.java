package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/** Faults of the algorithm {@code majority} (docs/majority.md, section 9), each with the violation that it causes. */
final class MajorityMutants {

    private MajorityMutants() {}

    static Stream<Fault> all() {
        return Stream.concat(ofAttempts(), Stream.concat(ofClusters(), ofTokens()));
    }

    private static Stream<Fault> ofAttempts() {
        return Stream.of(
                Fault.of(
                                Schedules.MAJORITY_CYCLE,
                                Violation.NOT_SERVED,
                                "majority: a skipped cluster is waited for below others")
                        .in("majority.MajorityAttempt", "request")
                        .replacing("acquireRequest.waits() && goesUp", "acquireRequest.waits()"),
                Fault.of(
                                Schedules.MAJORITY_WITH_CLUSTERS_DOWN,
                                Violation.NOT_SERVED,
                                "majority: a process that sees a minority holds it")
                        .in("majority.MajorityAttempt", "lookAtClusters")
                        .replacing(
                                "clusters.majorityCounts() && clusters.counts(present.cluster())",
                                "clusters.counts(present.cluster())")
                        .in("majority.MajorityAttempt", "answered")
                        .replacing("!clusters.majorityCounts()", "false")
                        .in("majority.MajorityAttempt", "begin")
                        .replacing("clusters.majorityCounts()", "true")
                        .in("majority.MajorityAttempt", "allRequested")
                        .replacing(
                                "requestFrom(0);",
                                "context.timers().after(context.settings().clusterTimeout()).thenRunAsync(() -> requestFrom(0), mailbox);")
                        .in("majority.MajorityAttempt", "passFailed")
                        .around("""
                              if (acquireRequest.waits() && holding.parts().size() < clusters.size()) {
                                  context.timers().after(nextPause).thenRunAsync(
                                          () -> {
                                              goesUp = false;
                                              holding.dropLostParts();
                                              requestFrom(0);
                                          },
                                          mailbox);
                              } else {
                                  right();
                              }"""),
                Fault.of(Schedules.MAJORITY, Violation.NOT_SERVED, "majority: there is no common order of the clusters")
                        .in("majority.MajorityAttempt", "requestFrom")
                        .replacing(
                                "clusters.all().get(number)",
                                "clusters.all().get((number + Math.floorMod(names.hashCode(), clusters.size())) % clusters.size())"),
                Fault.of(Schedules.MAJORITY, Violation.TWO_HOLDERS, "majority: two requests have the same thread name")
                        .in("majority.ThreadNames", "next")
                        .body("return threadId;"),
                Fault.of(
                                Schedules.MAJORITY_REVIVAL,
                                Violation.TWO_HOLDERS,
                                "majority: a lost grant revives when a part is taken again")
                        .in("majority.MajorityGrant", "add")
                        .replacing("Holding.isMajority(others, clusters)", "true"),
                Fault.of(Schedules.MAJORITY_REVIVAL, Violation.TWO_HOLDERS, "majority: validity is not latched")
                        .in("majority.MajorityGrant", "isValid")
                        .body("return state.get() != State.RELEASED && Holding.isMajority(parts(), clusters);")
                        .in("majority.MajorityGrant", "add")
                        .replacing("Holding.isMajority(others, clusters)", "true")
                        .in("majority.MajorityGrant", "add")
                        .replacing("(state.get() == State.HELD)", "(state.get() != State.RELEASED)"),
                Fault.of(Schedules.MAJORITY, Violation.TWO_HOLDERS, "majority: half of the clusters are enough")
                        .in("majority.Clusters", "Clusters")
                        .replacing("clusters.size() / 2 + 1", "clusters.size() / 2"),
                Fault.of(
                                Schedules.MAJORITY_TRY_AT_ONCE,
                                Violation.NOT_SERVED,
                                "majority: tryGetLock goes on after a refusal")
                        .in("majority.MajorityAttempt", "requestFrom")
                        .around("requested = number; right(number);")
                        .in("majority.MajorityAttempt", "answered")
                        .replacing(
                                "answer instanceof Answer.Refused",
                                "answer instanceof Answer.Refused && requested == clusters.size() - 1")
                        .with("private int requested;"));
    }

    private static Stream<Fault> ofClusters() {
        return Stream.of(
                Fault.of(
                                Schedules.MAJORITY_OF_TICKETS,
                                Violation.TWO_HOLDERS,
                                "majority: there is no guard, over the ticket lock")
                        .in("majority.ClusterRequest", "guard")
                        .replacing("cluster.isStill(before)", "CompletableFuture.completedFuture(true)"),
                Fault.of(Schedules.MAJORITY_GUARD, Violation.TWO_HOLDERS, "majority: there is no guard")
                        .in("majority.ClusterRequest", "guard")
                        .replacing("cluster.isStill(before)", "CompletableFuture.completedFuture(true)"),
                Fault.of(Schedules.MAJORITY_YOUNG, Violation.TWO_HOLDERS, "majority: a young cluster counts")
                        .in("majority.ClusterView", "isMature")
                        .body("return answers && birth != null;"),
                Fault.of(
                                Schedules.MAJORITY_UNREAD,
                                Violation.TWO_HOLDERS,
                                "majority: a part is valid while its cluster is not seen")
                        .in("majority.Part", "isValid")
                        .body("return isOfItsCluster() && grant.isValid();"),
                Fault.of(
                                Schedules.MAJORITY_LATE_ASKING,
                                Violation.NOT_SERVED,
                                "majority: the session goes on after a loss")
                        .in("majority.ClusterWatch", "answered")
                        .replacing("algorithm().abandonAll(forgotten());", ""),
                Fault.of(Schedules.MAJORITY, Violation.TWO_HOLDERS, "majority: an incarnation is used twice")
                        .in("majority.ClusterWatch", "writeBirth")
                        .replacing("refused = null;", "refused = fresh;"),
                Fault.of(
                                Schedules.MAJORITY_MISCONFIGURED,
                                Violation.NOT_SERVED,
                                "majority: a process that is configured otherwise writes a birth")
                        .in("majority.Clusters", "birthsAllowed")
                        .replacing(
                                "answering >= majority && misconfiguration().isEmpty() && !oneClusterTwice",
                                "answering >= majority"),
                Fault.of(
                                Schedules.MAJORITY_MISCONFIGURED,
                                Violation.NOT_SERVED,
                                "majority: a birth is written before others are looked at")
                        .in("majority.Clusters", "birthsAllowed")
                        .replacing("answering >= majority", "answering > 0"),
                Fault.of(
                                Schedules.MAJORITY_STRENGTHENED,
                                Violation.LOST_IN_VAIN,
                                "majority: a holder stays with a bare majority")
                        .in("majority.MajorityGrant", "start")
                        .replacing("context.settings().strengthen()", "false"),
                Fault.of(
                                Schedules.MAJORITY,
                                Violation.NEVER_TOLD,
                                "majority: a holder is not told that its lock is lost")
                        .in("majority.MajorityGrant", "lose")
                        .body("""
                              if (state.compareAndSet(State.HELD, State.LOST)) {
                                  end();
                                  Holding.giveBack(parts());
                              }"""));
    }

    private static Stream<Fault> ofTokens() {
        return Stream.of(
                Fault.of(
                                Schedules.MAJORITY_TOKENS_SEEN,
                                Violation.TOKEN_ORDER,
                                "majority: a token is written to one cluster")
                        .in("majority.MajorityToken.Answers", "add")
                        .replacing(
                                "received.size() == needed",
                                "received.size() == (condition.equals(\"answer\") ? 1 : needed)")
                        .in("majority.MajorityToken.Answers", "add")
                        .replacing("received.size() + open < needed", "received.isEmpty() && open == 0")
                        .in("majority.MajorityToken", "ofMajority")
                        .replacing("asked.size() < clusters.majority()", "asked.isEmpty()")
                        .in("majority.MajorityToken", "write")
                        .around(
                                "return right(noted.stream().filter(seen -> seen.view().isMature()).limit(1).toList(), next);"),
                Fault.of(
                                Schedules.MAJORITY_TOKENS_OVERTAKEN,
                                Violation.TOKEN_ORDER,
                                "majority: a token is written in incarnations that are younger than its grant")
                        .in("majority.MajorityToken", "write")
                        .around("""
                              return right(
                                      clusters.all().stream().map(cluster -> new Seen(cluster, cluster.view())).toList(), next);"""),
                Fault.of(
                                Schedules.MAJORITY_TOKENS_LATE,
                                Violation.TOKEN_ORDER,
                                "majority: a token is shown without a last look at the grant")
                        .in("majority.MajorityToken", "shown")
                        .body("return next;"),
                Fault.of(Schedules.MAJORITY_TOKENS_FORGOTTEN, Violation.TOKEN_ORDER, "majority: tokens have no floor")
                        .in("majority.MajorityToken", "next")
                        .body("return 1 + values.stream().mapToLong(value -> value.orElse(0)).reduce(0, Math::max);"),
                Fault.of(
                                Schedules.MAJORITY_TOKENS_FORGOTTEN,
                                Violation.TOKEN_ORDER,
                                "majority: tokens are read from young clusters")
                        .in("majority.ClusterView", "isTokenMature")
                        .body("return isMature();"),
                Fault.of(
                                Schedules.MAJORITY_TOKENS_OF_THE_PAST,
                                Violation.TOKEN_ORDER,
                                "majority: a new incarnation reads the tokens of an old one")
                        .in("simulation.SimulatedClusterLock", "raise")
                        .around("return right(lockId, new UUID(0, 0), token);")
                        .in("simulation.SimulatedClusterLock", "read(String, UUID)")
                        .around("return right(lockId, new UUID(0, 0));"));
    }
}
