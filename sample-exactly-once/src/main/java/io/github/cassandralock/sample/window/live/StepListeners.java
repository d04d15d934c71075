package io.github.cassandralock.sample.window.live;

import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Writes down the steps of this copy. */
@Configuration(proxyBeanMethods = false)
class StepListeners {

    @Bean
    HandlerListener stepsOfTheHandler(StepLog steps) {
        return new HandlerListener() {
            @Override
            public void onStepCommitted(String handler, long step, int messages) {
                steps.add(handler, step);
            }
        };
    }

    @Bean
    SinkListener transactionsOfTheSinks(StepLog steps) {
        return new SinkListener() {
            @Override
            public void onTaken(String sink, long index) {
                steps.add(sink, index);
            }
        };
    }
}
