package io.github.cassandralock.exactlyonce.store.cassandra;

import static org.assertj.core.api.Assertions.assertThatCode;
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
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which drivers may be asked for a local quorum. Nodes and policies are made here. */
class LocalDatacenterTest {

    private final OptionsMap options = OptionsMap.driverDefaults();
    private final LoadBalancingPolicy policy = mock(LoadBalancingPolicy.class);

    private void require(ConsistencyLevel level, String... planned) {
        when(policy.newQueryPlan(any(), any()))
                .thenAnswer(call -> new ArrayDeque<>(List.of(planned).stream()
                        .map(LocalDatacenterTest::nodeIn)
                        .toList()));
        DriverContext context = mock(DriverContext.class);
        when(context.getConfig()).thenReturn(DriverConfigLoader.fromMap(options).getInitialConfig());
        when(context.getLoadBalancingPolicy("default")).thenReturn(policy);
        CqlSession session = mock(CqlSession.class);
        when(session.getContext()).thenReturn(context);
        LocalDatacenter.requireOne(level, session);
    }

    private static Node nodeIn(String datacenter) {
        Node node = mock(Node.class);
        when(node.getDatacenter()).thenReturn(datacenter);
        return node;
    }

    private void failOver() {
        options.put(TypedDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 1);
        options.put(TypedDriverOption.LOAD_BALANCING_DC_FAILOVER_ALLOW_FOR_LOCAL_CONSISTENCY_LEVELS, true);
    }

    @Test
    void failoverToAnotherDataCentreIsRefused() {
        failOver();
        assertThatThrownBy(() -> require(DefaultConsistencyLevel.LOCAL_QUORUM, "frankfurt"))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContainingAll("LOCAL_QUORUM", "max-nodes-per-remote-dc is 1", "another quorum");
    }

    @Test
    void policyThatAsksTwoDataCentresIsRefused() {
        assertThatThrownBy(() -> require(DefaultConsistencyLevel.LOCAL_QUORUM, "frankfurt", "dublin"))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("several data centres: dublin, frankfurt");
    }

    @Test
    void oneDataCentreOrAQuorumOfAllIsAllowed() {
        assertThatCode(() -> require(DefaultConsistencyLevel.LOCAL_QUORUM, "frankfurt", "frankfurt"))
                .doesNotThrowAnyException();
        failOver();
        assertThatCode(() -> require(DefaultConsistencyLevel.QUORUM, "frankfurt", "dublin"))
                .doesNotThrowAnyException();
    }
}
