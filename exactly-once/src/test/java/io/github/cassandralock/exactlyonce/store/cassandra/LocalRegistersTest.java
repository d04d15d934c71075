package io.github.cassandralock.exactlyonce.store.cassandra;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.OptionsMap;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether a local quorum of registers is that of one data centre is checked before the store is opened. The policy is made here. */
class LocalRegistersTest {

    @Test
    void policyThatAsksTwoDataCentresIsRefused() {
        LoadBalancingPolicy policy = mock(LoadBalancingPolicy.class);
        when(policy.newQueryPlan(any(), any()))
                .thenAnswer(call -> new ArrayDeque<>(List.of(nodeIn("frankfurt"), nodeIn("dublin"))));
        DriverContext context = mock(DriverContext.class);
        when(context.getConfig())
                .thenReturn(
                        DriverConfigLoader.fromMap(OptionsMap.driverDefaults()).getInitialConfig());
        when(context.getLoadBalancingPolicy("default")).thenReturn(policy);
        CqlSession session = mock(CqlSession.class);
        when(session.getContext()).thenReturn(context);
        assertThatThrownBy(() -> CassandraRegisterStore.open(
                        session,
                        CassandraStoreSettings.inKeyspace("ks")
                                .withConsistency(ReadConsistency.LOCAL_QUORUM, SerialConsistency.LOCAL_SERIAL)))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContainingAll(
                        "several data centres: dublin, frankfurt", "QUORUM and SERIAL for registers, in all processes");
    }

    private static Node nodeIn(String datacenter) {
        Node node = mock(Node.class);
        when(node.getDatacenter()).thenReturn(datacenter);
        return node;
    }
}
