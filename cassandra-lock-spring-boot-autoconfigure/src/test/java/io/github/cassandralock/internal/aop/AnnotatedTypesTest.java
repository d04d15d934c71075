package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.DistributedLock;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Classes that are not searched for annotations have none. */
@SuppressWarnings("UnusedMethod") // the methods are there for their annotations
class AnnotatedTypesTest {

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(key = "composed")
    private @interface Composed {}

    private interface Reports {

        @DistributedLock(key = "reports")
        void write();
    }

    private interface MoreReports extends Reports {}

    private static class Base {

        @Composed
        private void hidden() {}
    }

    private static final class OfABaseClass extends Base {}

    private abstract static class OfAnInterface implements MoreReports {}

    @Composed
    private static class OfAClass {}

    private static final class WithoutOne extends ArrayList<String> {

        private static final long serialVersionUID = 1L;

        @Override
        public int size() {
            return 0;
        }
    }

    @Test
    void annotationOfTheClassOrOfAMethodIsFoundWhereverItIs() {
        assertThat(AnnotatedTypes.mayContain(OfABaseClass.class)).isTrue();
        assertThat(AnnotatedTypes.mayContain(OfAnInterface.class)).isTrue();
        assertThat(AnnotatedTypes.mayContain(OfAClass.class)).isTrue();
    }

    @Test
    void classWithoutTheAnnotationIsNotSearched() {
        assertThat(AnnotatedTypes.mayContain(WithoutOne.class)).isFalse();
        assertThat(AnnotatedTypes.mayContain(String.class)).isFalse();
    }
}
