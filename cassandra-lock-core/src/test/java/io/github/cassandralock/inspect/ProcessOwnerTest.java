package io.github.cassandralock.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The texts by which rows name processes, taken apart: what an administrator reads would be wrong. Costs nothing. */
class ProcessOwnerTest {

    @Test
    void sessionNamesHostPidAndApplication() {
        ProcessOwner owner = ProcessOwner.ofSession("billing-3.example.org-4711 my invoices");
        assertThat(owner.host()).contains("billing-3.example.org");
        assertThat(owner.pid()).hasValue(4711);
        assertThat(owner.application()).contains("my invoices");
        assertThat(owner.text()).isEqualTo("billing-3.example.org-4711 my invoices");
    }

    @Test
    void applicationMayHaveNoName() {
        ProcessOwner owner = ProcessOwner.ofSession("host-1");
        assertThat(owner.host()).contains("host");
        assertThat(owner.application()).isEmpty();
    }

    @Test
    void threadIdNamesHostAndPid() {
        ProcessOwner owner = ProcessOwner.ofThreadId("billing-3-4711-0e5ad2f2-7a9f-4a52-8a52-3f7c3f2f1c11-12");
        assertThat(owner.host()).contains("billing-3");
        assertThat(owner.pid()).hasValue(4711);
    }

    @Test
    void textOfAnotherKindIsShownAsItIs() {
        assertThat(ProcessOwner.ofSession("<b>somebody</b>").text()).isEqualTo("<b>somebody</b>");
        assertThat(ProcessOwner.ofSession("somebody").host()).isEmpty();
        assertThat(ProcessOwner.ofThreadId("main").pid()).isEmpty();
        assertThat(ProcessOwner.ofSession("host-99999999999999999999").pid()).isEmpty();
    }
}
