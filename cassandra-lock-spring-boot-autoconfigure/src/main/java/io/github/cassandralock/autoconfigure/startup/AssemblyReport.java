package io.github.cassandralock.autoconfigure.startup;

import io.github.cassandralock.internal.assembly.AssemblyStage;
import io.github.cassandralock.internal.startup.StartProgress;
import io.github.cassandralock.internal.startup.StartStage;
import java.util.function.Consumer;

/** Reports the stages of an algorithm's assembly as those of a start. */
public final class AssemblyReport {

    private AssemblyReport() {}

    public static Consumer<AssemblyStage> of(StartProgress progress) {
        return stage -> progress.reached(
                switch (stage) {
                    case TABLES -> StartStage.TABLES;
                    case CREATION -> StartStage.CREATION;
                    case ALGORITHM -> StartStage.ALGORITHM;
                });
    }
}
