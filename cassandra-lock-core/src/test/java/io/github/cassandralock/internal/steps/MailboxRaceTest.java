package io.github.cassandralock.internal.steps;

import static io.github.cassandralock.internal.threads.Races.race;
import static io.github.cassandralock.internal.threads.Races.require;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Fails if the mailbox does not look once more before nobody is at work any more, and if whoever comes while somebody is at
 * work there takes what has come: both were planted.
 */
class MailboxRaceTest {

    /** Not thread-safe on purpose: a task that runs beside another is seen. */
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
    void noTaskIsLostOrRunsBesideAnotherOrOvertakesOneOfItsOwnThread() {
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
    void whatATaskSubmitsRunsAfterItAndBeforeWhatItsThreadSubmitsNext() {
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
