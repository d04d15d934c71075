package io.github.cassandralock.internal.steps;

import static io.github.cassandralock.internal.threads.Races.race;
import static io.github.cassandralock.internal.threads.Races.require;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Fails if a thread leaves the mailbox without a check for tasks that were added meanwhile, and if a second thread takes tasks
 * while the first one runs tasks: each of these faults was planted once.
 */
class MailboxRaceTest {

    /** Not thread-safe on purpose: so it shows a task that runs at the same time as another. */
    private static final class Diary {

        private final List<String> entries = new ArrayList<>();
        private boolean atWork;

        Runnable task(String name, Runnable also) {
            return () -> {
                require(!atWork, "two tasks run at the same time");
                atWork = true;
                entries.add(name);
                also.run();
                atWork = false;
            };
        }

        Runnable task(String name) {
            return task(name, () -> {});
        }

        void mustHave(int number) {
            require(entries.size() == number, "tasks were lost: only these have run: " + entries);
        }

        void mustHaveInOrder(String earlier, String later) {
            require(entries.indexOf(earlier) < entries.indexOf(later), "tasks overtook each other: " + entries);
        }
    }

    @Test
    void noTaskIsLostOrRunsAtTheSameTimeAsAnotherOrOvertakesOneOfItsOwnThread() {
        race(threads -> {
            Mailbox mailbox = new Mailbox();
            Diary diary = new Diary();
            threads.run(
                    () -> {
                        mailbox.execute(diary.task("a1"));
                        mailbox.execute(diary.task("a2"));
                    },
                    () -> {
                        mailbox.execute(diary.task("b1"));
                        mailbox.execute(diary.task("b2"));
                    });
            diary.mustHave(4);
            diary.mustHaveInOrder("a1", "a2");
            diary.mustHaveInOrder("b1", "b2");
        });
    }

    @Test
    void taskThatATaskAddsRunsAfterItAndBeforeTheNextTaskOfItsThread() {
        race(threads -> {
            Mailbox mailbox = new Mailbox();
            Diary diary = new Diary();
            threads.run(
                    () -> {
                        mailbox.execute(diary.task("outer", () -> mailbox.execute(diary.task("inner"))));
                        mailbox.execute(diary.task("next"));
                    },
                    () -> mailbox.execute(diary.task("other")));
            diary.mustHave(4);
            diary.mustHaveInOrder("outer", "inner");
            diary.mustHaveInOrder("outer", "next");
        });
    }
}
