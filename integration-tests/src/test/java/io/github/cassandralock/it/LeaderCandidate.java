package io.github.cassandralock.it;

import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/** An application that stands for election as the leader of a role, in this process or in one of its own. */
final class LeaderCandidate {

    static final String ROLE = "test.role";
    private static final String LEADS = "CANDIDATE LEADS";

    private LeaderCandidate() {}

    /** Notes and says when it is elected, and when it is not the leader any more. */
    static final class Candidate extends DefaultCandidate {

        private final Collection<String> events = new ConcurrentLinkedQueue<>();

        Candidate(String role) {
            super("candidate", role);
        }

        @Override
        public void onGranted(Context context) {
            events.add("granted");
            System.out.println(LEADS);
        }

        @Override
        public void onRevoked(Context context) {
            events.add("revoked");
        }

        List<String> events() {
            return List.copyOf(events);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Election {

        @Bean
        Candidate candidate(Environment environment) {
            return new Candidate(environment.getRequiredProperty(ROLE));
        }

        @Bean
        @SuppressWarnings("rawtypes") // the registry has a type parameter in Spring Integration 7, and none in 6.5
        LockRegistryLeaderInitiator leaderInitiator(LockRegistry locks, Candidate candidate) {
            return new LockRegistryLeaderInitiator(locks, candidate);
        }
    }

    static Application start(List<String> arguments) {
        return Application.run(List.of(Application.Configuration.class, Election.class), arguments);
    }

    /** Returns when a process of its own is the leader. */
    static JvmProcess startLeader(List<String> arguments) throws IOException {
        JvmProcess leader = JvmProcess.start(LeaderCandidate.class, new ArrayList<>(arguments));
        leader.awaitLine(LEADS);
        return leader;
    }

    /** @param arguments the application's */
    public static void main(String[] arguments) throws IOException {
        try (Application application = start(Arrays.asList(arguments))) {
            while (System.in.read() >= 0) {
                // until the parent closes the pipe or dies
            }
        }
    }
}
