package io.github.cassandralock.internal.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.OptionsMap;
import com.datastax.oss.driver.api.core.config.TypedDriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which drivers may be asked for a local quorum, and whose answers count. Costs nothing; nodes and policies are made here. */
class LocalQuorumTest {

    private final OptionsMap options = OptionsMap.driverDefaults();
    private final LoadBalancingPolicy policy = mock(LoadBalancingPolicy.class);

    private LocalQuorum of(ConsistencyLevel level, String... planned) {
        when(policy.newQueryPlan(any(), any()))
                .thenAnswer(call -> new ArrayDeque<>(
                        List.of(planned).stream().map(LocalQuorumTest::nodeIn).toList()));
        DriverContext context = mock(DriverContext.class);
        when(context.getConfig()).thenReturn(DriverConfigLoader.fromMap(options).getInitialConfig());
        when(context.getLoadBalancingPolicy("default")).thenReturn(policy);
        CqlSession session = mock(CqlSession.class);
        when(session.getContext()).thenReturn(context);
        return LocalQuorum.of(level, "Remedy.", session);
    }

    private static Node nodeIn(String datacenter) {
        Node node = mock(Node.class);
        when(node.getDatacenter()).thenReturn(datacenter);
        return node;
    }

    private void failOver(String profile) {
        options.put(profile, TypedDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 1);
        options.put(profile, TypedDriverOption.LOAD_BALANCING_DC_FAILOVER_ALLOW_FOR_LOCAL_CONSISTENCY_LEVELS, true);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCAL_QUORUM", "LOCAL_SERIAL"})
    void failoverOfLocalLevelsToAnotherDataCentreIsRefused(DefaultConsistencyLevel level) {
        failOver("default");
        assertThatThrownBy(() -> of(level, "frankfurt"))
                .isInstanceOf(ExplainedException.class)
                .hasMessageContainingAll(level.name(), "max-nodes-per-remote-dc is 1", "another quorum");
    }

    @Test
    void failoverOfOtherLevelsOrOfAnotherProfileIsAllowed() {
        failOver("reports");
        options.put(TypedDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 1);
        assertThat(of(DefaultConsistencyLevel.LOCAL_QUORUM, "frankfurt", "frankfurt")
                        .datacenter())
                .contains("frankfurt");
    }

    @Test
    void policyThatAsksTwoDataCentresIsRefused() {
        assertThatThrownBy(() -> of(DefaultConsistencyLevel.LOCAL_QUORUM, "frankfurt", "dublin"))
                .isInstanceOf(ExplainedException.class)
                .hasMessageContaining("several data centres: dublin, frankfurt");
    }

    @Test
    void quorumOfAllDataCentresMayBeAskedForAnywhere() {
        failOver("default");
        assertThat(of(DefaultConsistencyLevel.QUORUM, "frankfurt", "dublin").datacenter())
                .isEmpty();
    }

    @Test
    void dataCentreIsThatOfTheProfileWhileNoNodeIsUp() {
        options.put(TypedDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, "frankfurt");
        assertThat(of(DefaultConsistencyLevel.LOCAL_QUORUM).datacenter()).contains("frankfurt");
    }

    @Test
    void answerOfAnotherDataCentreDoesNotCount() {
        AnswerCheck check = new AnswerCheck("ks.lock_slots", new LocalQuorum(Optional.of("frankfurt")));
        SimpleStatement sent =
                SimpleStatement.newInstance("SELECT 1").setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM);
        assertThat(check.requireQuorum(sent, answer(sent, "frankfurt"))).isNotNull();
        assertThatThrownBy(() -> check.requireQuorum(sent, answer(sent, "dublin")))
                .isInstanceOf(UnusableAnswerException.class)
                .hasMessageContainingAll("ks.lock_slots", "dublin", "frankfurt", "load-balancing policy");
    }

    private static AsyncResultSet answer(SimpleStatement sent, String datacenter) {
        Node coordinator = nodeIn(datacenter);
        ExecutionInfo info = mock(ExecutionInfo.class);
        when(info.getRequest()).thenReturn(sent);
        when(info.getCoordinator()).thenReturn(coordinator);
        AsyncResultSet answer = mock(AsyncResultSet.class);
        when(answer.getExecutionInfo()).thenReturn(info);
        return answer;
    }
}
