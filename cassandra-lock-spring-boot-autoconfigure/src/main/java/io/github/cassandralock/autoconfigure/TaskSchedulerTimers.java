package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.spi.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.TaskScheduler;

/** Timers on a Spring {@link TaskScheduler}. */
final class TaskSchedulerTimers implements Timers {

    private final TaskScheduler scheduler;

    TaskSchedulerTimers(TaskScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        CompletableFuture<Void> timer = new CompletableFuture<>();
        try {
            ScheduledFuture<?> task = scheduler.schedule(
                    () -> timer.complete(null), scheduler.getClock().instant().plus(delay));
            timer.whenComplete((done, cancelled) -> task.cancel(false));
        } catch (TaskRejectedException e) {
            timer.completeExceptionally(e);
        }
        return timer;
    }
}
