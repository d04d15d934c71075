package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.majority.ClusterRequest.Answer;

/**
 * Takes the lock in a majority of the clusters if it is free. It tries one cluster after the other, in ascending order, until one
 * refuses. All who see the same clusters meet in the same first one, which gives its part to one of them, and nobody else goes on.
 */
final class MajorityTryAttempt extends MajorityAttempt {

    MajorityTryAttempt(Clusters clusters, MajorityContext context, String lockId, String threadId) {
        super(clusters, context, lockId, threadId);
    }

    /** Requests nothing if it cannot win. */
    @Override
    void begin() {
        if (endsAtOnce()) {
            return;
        }
        if (clusters.majorityCounts()) {
            ask(0);
        } else {
            passFailed();
        }
    }

    /** Tries the cluster with this number; skips it if it does not count. */
    private void ask(int number) {
        if (number == clusters.size()) {
            passFailed();
            return;
        }
        ClusterWatch cluster = clusters.all().get(number);
        if (clusters.counts(cluster)) {
            follow(ClusterRequest.tries(cluster, lockId, names.next(), context), () -> ask(number + 1));
        } else {
            ask(number + 1);
        }
    }

    @Override
    void answered(Answer answer, Runnable next) {
        if (answer instanceof Answer.Refused) {
            refuse();
        } else if (holdsMajority()) {
            grant();
        } else {
            next.run();
        }
    }

    @Override
    void passFailed() {
        fail(clusters.noMajority(lockId, failures.values().stream().findFirst()));
    }
}
