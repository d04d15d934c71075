package io.github.cassandralock.sample.window.live;

import io.github.cassandralock.sample.window.WindowProperties;
import java.util.List;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Answers the page, also the page of another copy: a page that asks its own copy alone would not see that copy die.
 */
@RestController
@CrossOrigin(originPatterns = {"http://127.0.0.1:[*]", "http://localhost:[*]"})
class LiveController {

    /**
     * What this copy alone knows.
     *
     * @param steps that this copy has decided since those that were asked for last
     * @param refused work of this copy for nothing
     * @param violations missing or double messages that this copy has seen
     */
    record CopyAnswer(long pid, List<StepLog.Entry> steps, long refused, long violations) {}

    /**
     * What all copies know.
     *
     * @param now by this machine's clock, in milliseconds since 1970
     * @param outputs since those that were asked for last
     */
    record TaskAnswer(
            long now,
            List<Copies.Copy> copies,
            List<Results.Output> outputs,
            Results.Counter counter,
            List<Figures.Lag> lags,
            long windowMillis,
            int threshold) {}

    private final ThisCopy thisCopy;
    private final Copies copies;
    private final StepLog steps;
    private final Results results;
    private final Figures figures;
    private final WindowProperties window;

    LiveController(
            ThisCopy thisCopy,
            Copies copies,
            StepLog steps,
            Results results,
            Figures figures,
            WindowProperties window) {
        this.thisCopy = thisCopy;
        this.copies = copies;
        this.steps = steps;
        this.results = results;
        this.figures = figures;
        this.window = window;
    }

    @GetMapping("/copy")
    CopyAnswer copy(@RequestParam(defaultValue = "0") long after) {
        return new CopyAnswer(thisCopy.pid(), steps.after(after), figures.refused(), figures.violations());
    }

    /** @param after the place of the last output that is known; 0 for the latest ones */
    @GetMapping("/task")
    TaskAnswer task(@RequestParam(defaultValue = "0") long after) {
        Results.Counter counter = results.counter();
        return new TaskAnswer(
                System.currentTimeMillis(),
                copies.all(),
                after == 0 ? results.latest() : results.after(after),
                counter,
                figures.lags(),
                window.duration().toMillis(),
                window.threshold());
    }
}
