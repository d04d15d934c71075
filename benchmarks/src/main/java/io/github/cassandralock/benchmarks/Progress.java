package io.github.cassandralock.benchmarks;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar that says what is going on. */
final class Progress implements AutoCloseable {

    private static final int UPDATE_MILLIS = 1_000;

    private final ProgressBar bar;

    Progress(String title, long steps) {
        bar = new ProgressBarBuilder()
                .setTaskName(title)
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_MILLIS)
                .build();
    }

    void begins(String what) {
        bar.setExtraMessage(" " + what);
    }

    void done(long steps) {
        bar.stepBy(steps);
    }

    @Override
    public void close() {
        bar.close();
    }
}
