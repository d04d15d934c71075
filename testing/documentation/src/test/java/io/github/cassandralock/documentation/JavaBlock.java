package io.github.cassandralock.documentation;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Java code of the documentation, made a source file that can be compiled. A block that imports something is taken as it is: a
 * reader can copy it. Any other is put into the first context in which it can be parsed: types, members of a class, annotations
 * of methods, statements; a {@link Fragment} and imports are given to it.
 *
 * <p>{@code { … }} stands for a body that is left out, and a line with {@code …} alone for statements that are left out.
 *
 * @param block where it is from
 * @param source the whole file
 * @param offset how many lines the context has before the block
 */
record JavaBlock(CodeBlock block, String source, int offset) {

    private static final Pattern OWN_IMPORTS = Pattern.compile("^(import|package) .*", Pattern.MULTILINE);
    private static final Pattern TYPE_WITHOUT_BODY =
            Pattern.compile("^(.*\\b(?:class|interface|record|enum)\\b.*)\\{ … }(.*)$", Pattern.MULTILINE);

    private static final String IMPORTS = Stream.of(
                    "java.nio.charset.*",
                    "java.time.*",
                    "java.util.*",
                    "java.util.concurrent.*",
                    "java.util.concurrent.atomic.*",
                    "java.util.concurrent.locks.*",
                    "com.datastax.oss.driver.api.core.*",
                    "com.datastax.oss.driver.api.core.config.*",
                    "com.datastax.oss.driver.api.core.cql.*",
                    "com.datastax.oss.driver.internal.core.specex.*",
                    "io.github.cassandralock.*",
                    "io.github.cassandralock.exactlyonce.bytes.*",
                    "io.github.cassandralock.exactlyonce.handler.*",
                    "io.github.cassandralock.exactlyonce.queue.*",
                    "io.github.cassandralock.exactlyonce.register.*",
                    "io.github.cassandralock.exactlyonce.sink.*",
                    "io.github.cassandralock.exactlyonce.spring.*",
                    "io.github.cassandralock.exactlyonce.sink.jdbc.*",
                    "io.github.cassandralock.exactlyonce.store.cassandra.*",
                    "io.github.cassandralock.exactlyonce.store.jdbc.*",
                    "io.github.cassandralock.exactlyonce.store.redis.*",
                    "io.github.cassandralock.inspect.*",
                    "io.github.cassandralock.local.*",
                    "io.github.cassandralock.observation.*",
                    "io.github.cassandralock.shedlock.*",
                    "io.github.cassandralock.test.*",
                    "io.lettuce.core.RedisURI",
                    "javax.sql.DataSource",
                    "org.springframework.jdbc.core.JdbcTemplate",
                    "net.javacrumbs.shedlock.core.*",
                    "org.junit.jupiter.api.*",
                    "org.springframework.beans.factory.annotation.*",
                    "org.springframework.boot.*",
                    "org.springframework.boot.actuate.autoconfigure.security.servlet.*",
                    "org.springframework.boot.autoconfigure.*",
                    "org.springframework.boot.autoconfigure.cassandra.*",
                    "org.springframework.boot.test.context.*",
                    "org.springframework.boot.testcontainers.service.connection.*",
                    "org.springframework.context.annotation.*",
                    "org.springframework.data.cassandra.core.cql.*",
                    "org.springframework.http.*",
                    "org.springframework.integration.leader.*",
                    "org.springframework.integration.support.leader.*",
                    "org.springframework.integration.support.locks.*",
                    "org.springframework.jdbc.core.simple.*",
                    "org.springframework.scheduling.*",
                    "org.springframework.scheduling.annotation.*",
                    "org.springframework.scheduling.concurrent.*",
                    "org.springframework.security.config.*",
                    "org.springframework.security.config.annotation.web.builders.*",
                    "org.springframework.security.web.*",
                    "org.springframework.security.web.csrf.*",
                    "org.springframework.stereotype.*",
                    "org.springframework.test.context.bean.override.mockito.*",
                    "org.springframework.transaction.annotation.*",
                    "org.springframework.transaction.support.*",
                    "org.springframework.web.bind.annotation.*",
                    "org.testcontainers.cassandra.*",
                    "static com.datastax.oss.driver.api.core.config.DefaultDriverOption.*",
                    "static io.github.cassandralock.DistributedLock.OnLost.*",
                    "static io.github.cassandralock.DistributedLock.Strategy.*",
                    "static io.github.cassandralock.DistributedLock.WhenBusy.*",
                    "static org.assertj.core.api.Assertions.*")
            .map(name -> "import " + name + "; ")
            .collect(Collectors.joining());

    /** Each block has a package of its own: types of the same name may be on several pages. */
    private static final String GIVEN =
            "package io.github.cassandralock.documentation.block%d; import io.github.cassandralock.documentation.*; "
                    + IMPORTS;

    private static final String MEMBERS = GIVEN + "abstract class Snippet extends Fragment {\n";

    /**
     * In the first context that fits. If none does, as statements: the compiler then says what is wrong.
     *
     * @param number of the block, among those that are compiled together
     */
    static JavaBlock of(CodeBlock block, int number) {
        String text = withoutEllipses(block.text());
        if (OWN_IMPORTS.matcher(text).find()) {
            return new JavaBlock(block, text, 0);
        }
        String members = MEMBERS.formatted(number);
        JavaBlock statements = new JavaBlock(block, members + "void snippet() throws Exception {\n" + text + "}}\n", 2);
        return Stream.of(
                        new JavaBlock(block, GIVEN.formatted(number) + "\n" + text, 1),
                        new JavaBlock(block, members + text + "}\n", 1),
                        new JavaBlock(block, members + annotatedMethods(text) + "}\n", 1))
                .filter(candidate -> JavaSources.canBeParsed(candidate.source()))
                .findFirst()
                .orElse(statements);
    }

    /** The complaint, with the line of the page. */
    String placed(JavaSources.Complaint complaint) {
        return block.page() + ":" + (block.line() + complaint.line() - 1 - offset) + ": " + complaint.message();
    }

    private static String withoutEllipses(String text) {
        return TYPE_WITHOUT_BODY
                .matcher(text)
                .replaceAll("$1{ }$2")
                .replace("{ … }", "{ throw new UnsupportedOperationException(); }")
                .replaceAll("(?m)^ *…$", "");
    }

    /** Each annotation on a line of its own is given a method. */
    private static String annotatedMethods(String text) {
        AtomicInteger number = new AtomicInteger();
        return text.lines()
                .map(line -> line.startsWith("@")
                        ? line.replaceAll("\\s+//.*$", "") + " void method" + number.incrementAndGet()
                                + "(Order order, String phone, String id) {}"
                        : line)
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
