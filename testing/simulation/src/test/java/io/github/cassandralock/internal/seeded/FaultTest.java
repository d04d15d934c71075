package io.github.cassandralock.internal.seeded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultTest {

    private static final String TILL = "seeded.Till";

    @TempDir
    private Path directory;

    private static Fault fault() {
        return Fault.of(TillSchedules.PRICES, violations -> violations, "the till is wrong");
    }

    /** What the till says of the price 10. */
    private List<String> planted(Fault fault) throws IOException {
        return fault.plantedIn(directory).apply(10);
    }

    private ThrowingCallable planting(Fault fault) {
        return () -> planted(fault);
    }

    @Test
    void programWithoutAFaultIsAsItWas() {
        assertThat(TillSchedules.PRICES.apply(10)).containsExactly("to pay: 9", "of three: 25");
    }

    @Test
    void bodyReplacesTheOverloadThatTheParametersName() throws IOException {
        assertThat(planted(fault().in(TILL, "total(int)").body("return 0;")))
                .containsExactly("to pay: 0", "of three: 25");
    }

    @Test
    void aroundCallsTheMethodAsItWas() throws IOException {
        assertThat(planted(fault().in(TILL, "reduced").around("return right(price) + 100;")))
                .containsExactly("to pay: 109", "of three: 325");
    }

    @Test
    void replacingChangesOneExpressionWhateverItsSpace() throws IOException {
        assertThat(planted(fault().in(TILL, "total(List<Integer>)").replacing("sum\n +=reduced( price )", "sum++")))
                .containsExactly("to pay: 9", "of three: 4");
    }

    @Test
    void methodOfAnAnonymousClassIsFound() throws IOException {
        assertThat(planted(fault().in(TILL, "applyAsInt").around("return right(given) - 1;")))
                .containsExactly("to pay: 8", "of three: 22");
    }

    @Test
    void methodOfANestedClassIsFoundInItsClassOnly() throws IOException {
        assertThat(planted(fault().in(TILL + ".Receipt", "total").around("return right(-price);")))
                .containsExactly("to pay: -9", "of three: 25");
    }

    @Test
    void constructorHasTheNameOfItsClass() throws IOException {
        assertThat(planted(fault().in(TILL, "Till").replacing("this.discount = 2;", "this.discount = 0;")))
                .containsExactly("to pay: 11", "of three: 31");
    }

    @Test
    void fieldStandsForItsInitialValue() throws IOException {
        assertThat(planted(fault().in(TILL, "FEE").body("0"))).containsExactly("to pay: 8", "of three: 24");
        assertThat(planted(fault().in(TILL, "FEE").around("right * 5"))).containsExactly("to pay: 13", "of three: 29");
    }

    @Test
    void memberIsAddedForFaultsThatCount() throws IOException {
        assertThat(planted(fault().in(TILL, "reduced")
                        .around("return ++sold < 3 ? right(price) : price;")
                        .with("private int sold;")))
                .containsExactly("to pay: 9", "of three: 29");
    }

    @Test
    void placesOfOneFaultAreChangedOneAfterTheOther() throws IOException {
        assertThat(planted(fault().in(TILL, "FEE")
                        .body("0")
                        .in(TILL, "reduced")
                        .around("return right(price) + 1;")
                        .in("seeded.TillSchedules", "apply")
                        .replacing("till.receipt(price)", "\"nothing\"")))
                .containsExactly("nothing", "of three: 27");
    }

    @Test
    void nameOfSeveralMethodsIsRefused() {
        assertThatThrownBy(planting(fault().in(TILL, "total").body("return 0;")))
                .hasMessageContainingAll("'the till is wrong' has no place any more", "seeded.Till has 2", "total");
    }

    @Test
    void missingClassAndMissingMethodAreRefused() {
        assertThatThrownBy(planting(fault().in(TILL, "tax").body("return 0;"))).hasMessageContaining("has 0");
        assertThatThrownBy(planting(fault().in(TILL + ".Drawer", "open").body("")))
                .hasMessageContaining("no class seeded.Till.Drawer");
    }

    @Test
    void statementThatIsMissingOrThereTwiceIsRefused() {
        assertThatThrownBy(planting(fault().in(TILL, "reduced").replacing("discount--;", "")))
                .hasMessageContaining("has 0 statements");
        assertThatThrownBy(planting(fault().in(TILL, "reduced").replacing("discount", "0")))
                .hasMessageContaining("has 2 statements");
    }

    @Test
    void partOfAnExpressionIsNoPlace() {
        assertThatThrownBy(planting(fault().in(TILL, "total(int)").replacing("(price) + FEE", "")))
                .hasMessageContaining("has 0 statements");
    }

    @Test
    void statementInsideADecisionIsRefused() {
        assertThatThrownBy(() -> fault().in(TILL + ".Receipt", "total").replacing("price", "0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a method of its own");
    }

    @Test
    void faultThatDoesNotCompileIsReportedWithItsName() {
        assertThatThrownBy(planting(fault().in(TILL, "receipt").body("return 0;")))
                .hasMessageContaining("'the till is wrong' does not compile");
    }
}
