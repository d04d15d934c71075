package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.github.cassandralock.LockPath;
import io.github.cassandralock.LockRequest;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.implementation.MethodCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Catches a key under which calls share a lock that they should not share, or do not share one that they should. */
class KeyPartsOfCallsTest {

    enum Region {
        NORTH {
            @Override
            public String toString() {
                return "everywhere";
            }
        }
    }

    record Id(@Nullable Object value) {}

    record Order(@Nullable String id, int lines) {
        public @Nullable String getId() {
            return id;
        }

        public @Nullable String unnamed() {
            return null;
        }
    }

    /** Without a text of its own. */
    public static class Account {
        public long getBalance() {
            return 5;
        }

        public String getId() {
            return "42";
        }
    }

    /** With a text of its own, as ids of many libraries. */
    public static class ObjectId {
        @Override
        public String toString() {
            return "o-1";
        }
    }

    /** What Kotlin makes of a value class, as {@code value class AccountId(val value: Any?)}. */
    private static Object valueClass(Object component) throws ReflectiveOperationException {
        return new ByteBuddy()
                .subclass(Object.class)
                .defineField("value", Object.class, Visibility.PRIVATE)
                .defineConstructor(Visibility.PUBLIC)
                .withParameters(Object.class)
                .intercept(MethodCall.invoke(Object.class.getConstructor())
                        .andThen(FieldAccessor.ofField("value").setsArgumentAt(0)))
                .defineMethod("unbox-impl", Object.class, Visibility.PUBLIC)
                .intercept(FieldAccessor.ofField("value"))
                .make()
                .load(KeyPartsOfCallsTest.class.getClassLoader())
                .getLoaded()
                .getConstructor(Object.class)
                .newInstance(component);
    }

    /** As {@code class Name(text: String) : CharSequence by text} in Kotlin, which delegates no toString. */
    private record Delegating(String text, int unused) implements CharSequence {

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return "an object";
        }
    }

    private static final DefaultListableBeanFactory BEANS = new DefaultListableBeanFactory();

    /** The method that has the keys. */
    @SuppressWarnings({"unused", "UnusedMethod", "UnusedVariable"}) // found by reflection
    private static void run(@Nullable Object x, @Nullable Object y) {}

    private static List<String> locks(String key, @Nullable Object x, @Nullable Object y) {
        Method method = Arrays.stream(KeyPartsOfCallsTest.class.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals("run"))
                .findFirst()
                .orElseThrow();
        @Nullable Object[] args = {x, y};
        LockName name = LockKey.parse(key, "Bank.run(…)", method, BEANS);
        List<LockRequest> all = name.evaluate(
                        new LockKeyRoot(null, KeyPartsOfCallsTest.class, method, args), method, args)
                .getRequests();
        return all.stream()
                .filter(one -> all.stream().noneMatch(other -> isAbove(one, other)))
                .map(LockRequest::getLockId)
                .toList();
    }

    private static boolean isAbove(LockRequest one, LockRequest other) {
        return one.getPath().isPresent() && other.getLockId().startsWith(one.getLockId() + "/");
    }

    private static void assertRefused(String key, @Nullable Object x, @Nullable Object y, String... texts) {
        assertThatThrownBy(() -> locks(key, x, y))
                .as("%s with %s and %s", key, x, y)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("\"" + key + "\"", "Bank.run", "the method was not run")
                .hasMessageContainingAll(texts);
    }

    @Test
    void eachTypeOfTheListIsAPart() throws ReflectiveOperationException {
        UUID uuid = new UUID(1, 2);
        Instant instant = Instant.EPOCH;
        Map<Object, String> parts = Map.ofEntries(
                entry("a", "a"),
                entry('c', "c"),
                entry(new StringBuilder("sb"), "sb"),
                entry(new Delegating("d", 1), "d"),
                entry((byte) 1, "1"),
                entry((short) 2, "2"),
                entry(3, "3"),
                entry(4L, "4"),
                entry(BigInteger.TEN, "10"),
                entry(uuid, uuid.toString()),
                entry(Region.NORTH, "NORTH"),
                entry(instant, instant.toString()),
                entry(LocalDate.EPOCH, "1970-01-01"),
                entry(Duration.ofSeconds(5), "PT5S"),
                entry(ZoneOffset.UTC, "Z"),
                entry(LockPath.of("a", "b"), "a/b"),
                entry(new Id("7"), "7"),
                entry(new Id(new Id(8)), "8"),
                entry(valueClass("9"), "9"),
                entry(valueClass(new Id(valueClass(10L))), "10"));
        parts.forEach((value, text) -> {
            assertThat(locks("'k:' + #x", value, null)).containsExactly("k:" + text);
            assertThat(locks("k:#{#x}", value, null)).containsExactly("k:" + text);
            assertThat(locks("#x", value, null)).containsExactly(text);
            assertThat(locks("{#x}", value, null)).containsExactly(text);
            assertThat(locks("{'k'}.![#this + ':' + #x]", value, null)).containsExactly("k:" + text);
            assertThat(locks("'k:' + #x.toString()", value, null)).containsExactly("k:" + text);
            assertThat(locks("T(String).format('%s:%s', 'k', #x)", value, null)).containsExactly("k:" + text);
            assertThat(locks("T(java.util.Objects).toString(#x)", value, null)).containsExactly(text);
            assertThat(locks("T(String).valueOf(#x)", value, null)).containsExactly(text);
            assertThat(locks("'k:'.concat(#x)", value, null)).containsExactly("k:" + text);
            assertThat(locks("new StringBuilder('k:').append(#x)", value, null)).containsExactly("k:" + text);
        });
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // users have it
    void otherTypesAreRefusedWithAdvice() {
        Map<Object, String> others = Map.ofEntries(
                entry(new Account(), "#x.id"),
                entry(new Order("7", 1), "#x.id"),
                entry(new ObjectId(), "#x.toString()"),
                entry(Optional.of("a"), "#x.orElse('none')"),
                entry(1.5, "integer"),
                entry(1.5f, "integer"),
                entry(new AtomicLong(1), "#x.get()"),
                entry(java.sql.Date.valueOf("2026-01-01"), "#x.toLocalDate()"),
                entry(new BigDecimal("1.0"), "integer"),
                entry(true, "(#x ? 'on' : 'off')"),
                entry(Map.of("id", 1), "#x['id']"),
                entry(new Date(0), "#x.toInstant()"),
                entry(String.class, "#x.name"),
                entry(Locale.ROOT, "a text that names the resource"));
        others.forEach((value, advice) -> {
            String type = value.getClass().getTypeName();
            for (String key : List.of("'k:' + #x", "#x + ':k'", "k:#{#x}", "#x", "'k:' + (#y ?: #x)")) {
                assertRefused(key, value, null, type, "cannot be a part of a key");
            }
            assertRefused("'k:' + #x", value, null, "#x is of the type " + type, advice);
            assertRefused("{#x}", value, null, "an element of", type);
            assertRefused("'k:' + {#x}", value, null, "an element of", type);
            assertRefused("T(String).format('%s', #x)", value, null, "argument 2 of format", type);
            assertRefused("'%s'.formatted(#x)", value, null, "argument 1 of formatted", type);
            assertRefused("T(String).valueOf(#x)", value, null, "argument 1 of valueOf", type);
            assertRefused("T(java.text.MessageFormat).format('{0}', #x)", value, null, "argument 2 of format");
            assertRefused("'k:'.concat(#x)", value, null, "argument 1 of concat", type);
            assertRefused("T(String).join(':', 'k', #x)", value, null, "argument 3 of join", type);
            assertRefused("T(io.github.cassandralock.LockPath).of('k', #x)", value, null, "argument 2 of of", type);
            assertRefused("new StringBuilder('k:').append(#x)", value, null, "argument 1 of append", type);
            assertRefused(
                    "'k:' + new io.github.cassandralock.internal.aop.KeyPartsOfCallsTest$Id(#x)", value, null, type);
        });
    }

    @Test
    void arraysNameSeveralLocksButAreNoPart() {
        assertThat(locks("#x", new long[] {1, 2}, null)).containsExactly("1", "2");
        assertThat(locks("'k:' + #x[0]", new long[] {1, 2}, null)).containsExactly("k:1");
        for (Object array : List.of(new long[] {1}, new String[] {"a"})) {
            assertRefused("'k:' + #x", array, null, "[]", "#x[0]");
            assertRefused("T(java.util.Objects).toString(#x)", array, null, "[]");
        }
        assertRefused("#x", new double[] {1}, null, "java.lang.Double");
        assertThat(locks("T(java.util.Arrays).toString(#x)", new long[] {1, 2}, null))
                .containsExactly("[1, 2]");
        assertRefused("T(java.util.Arrays).toString(#x)", new double[] {1}, null, "double[]");
        assertRefused("T(java.util.Arrays).toString(#x)", new Object[] {1, null}, null, "null");
        String ofAnArray = "T(org.springframework.util.StringUtils).arrayToCommaDelimitedString(#x)";
        assertThat(locks(ofAnArray, List.of(1, "a"), null)).containsExactly("1,a");
        assertRefused(ofAnArray, Arrays.asList(1, null), null, "null");
        assertRefused(ofAnArray, List.of(new Account()), null, "Account");
        assertRefused("#x", "digest".getBytes(java.nio.charset.StandardCharsets.UTF_8), null, "byte[]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#x",
                "{#x}",
                "'k:' + #x",
                "#x + 'k'",
                "#x + 1",
                "1 + #x",
                "#x + #y",
                "k:#{#x}",
                "'k:' + #y['id']",
                "k:#{#y['id']}",
                "'k:' + #y.get('id')",
                "'k:' + #x?.toString()",
                "('k:' + #x).toLowerCase()",
                "{'a', 'b'}.!['k:' + #this + #x]",
                "{'a', 'k' + #x}.?[#this == 'a']",
                "#x == null ? 'k' + #x : 'b'",
                "'k:' + {'a'}.^[#this == 'b']",
                "'k:' + {'a', #x}",
                "'k:' + {'a', #x}.toString()",
                "T(String).format('%s', #x)",
                "T(String).format('%s', {#x})",
                "T(String).valueOf(#x)",
                "T(String).join(':', 'a', #x)",
                "T(String).join(':', {'a', #x})",
                "T(java.util.Objects).toString(#x)",
                "T(java.util.Objects).hash('a', #x)",
                "T(java.text.MessageFormat).format('{0}', #x)",
                "T(org.springframework.util.StringUtils).collectionToCommaDelimitedString({'a', #x})",
                "'%s'.formatted(#x)",
                "'k'.concat(#x)",
                "'k'.replace('k', #x)",
                "new StringBuilder('k').append(#x)",
                "T(io.github.cassandralock.LockPath).of('k', #x)",
                "#x ?: #x",
            })
    void nullIsRefusedWhereverItEntersTheText(String key) {
        assertRefused(key, null, new HashMap<>(), "null");
    }

    @Test
    void nullComponentsAndResultsAreRefused() throws ReflectiveOperationException {
        assertRefused("'k:' + #x", new Id(null), null, "the component of #x is null");
        assertRefused("'k:' + #x", new Id(new Id(null)), null, "the component of #x is null");
        assertRefused("T(String).format('%s', #x)", new Id(null), null, "component", "is null");
        assertRefused("'k:' + #x.getId()", new Order(null, 1), null, "#x.getId() is null", "?: 'none'");
        assertRefused("'k:' + #x.id", new Order(null, 1), null, "#x.id is null", "#x.id ?: 'none'");
        assertRefused("'k:' + #x.unnamed()", new Order("7", 1), null, "#x.unnamed() is null");
    }

    @Test
    void wordForNullIsThatOfTheAuthor() {
        assertThat(locks("'k:' + (#x ?: 'none')", null, null)).containsExactly("k:none");
        assertThat(locks("'k:' + (#x == null ? 'none' : #x)", null, null)).containsExactly("k:none");
        assertThat(locks("'k:' + #x.orElse('none')", Optional.empty(), null)).containsExactly("k:none");
    }

    @Test
    void twoNumbersAreNotAdded() {
        for (String key : List.of(
                "#x + #y",
                "#x + #y + ':k'",
                "'k:' + (#x + #y)",
                "k:#{#x + #y}",
                "{1}.![#x + #y]",
                "{'a', 'b'}[#x + #y]",
                "T(Math).abs(#x + #y)",
                "#x.intValue() + #y",
                "1 + #x + #y",
                "#x + #y * 2")) {
            assertRefused(key, 1, 23, "sum of two numbers", "':'");
        }
        assertRefused("#x + #y", new Id(1L), new Id(23L), "sum of two numbers", "#x + ':' + #y");
        assertThat(locks("'k:' + #x + #y", 1, 23)).containsExactly("k:123");
        assertThat(locks("'k:' + (#x + 1)", 1, null)).containsExactly("k:2");
        assertThat(locks("'k:' + (-1 + #x)", 1, null)).containsExactly("k:0");
        assertThat(locks("'k:' + (#x + (2 + 3))", 1, null)).containsExactly("k:6");
        assertRefused("#x + #y", new UUID(0, 1), new UUID(0, 2), "none of which is a text");
    }

    @Test
    void differentCollectionsHaveDifferentTexts() {
        List<Collection<String>> different = List.of(
                List.of(),
                List.of("a", "b"),
                List.of("b", "a"),
                List.of("a, b"),
                List.of("a\\", " b"),
                List.of("[a", "b]"),
                List.of("[a, b]"));
        Set<String> texts = new LinkedHashSet<>();
        different.forEach(each -> texts.addAll(locks("'k:' + #x", each, null)));
        assertThat(texts).hasSameSizeAs(different).startsWith("k:[]", "k:[a, b]");
        assertRefused("'k:' + #x", List.of("a", " "), null, "blank");
        assertRefused("'k:' + #x", List.of(List.of("a")), null, "an element of #x");
    }

    @Test
    void collectionWithoutAnOrderIsSorted() {
        List<String> names = new ArrayList<>(List.of("d", "b", "a", "c"));
        Collections.shuffle(names, new java.util.Random(7));
        for (Collection<String> each :
                List.of(Set.copyOf(names), new LinkedHashSet<>(names), new ArrayDeque<>(names))) {
            assertThat(locks("'k:' + #x", each, null)).containsExactly("k:[a, b, c, d]");
            assertThat(locks("T(String).join('-', #x)", each, null)).containsExactly("a-b-c-d");
            assertThat(locks("'k:' + #x.![#this]", each, null)).containsExactly("k:[a, b, c, d]");
            assertThat(locks("'k:' + #x.?[#this != 'c'].![#this]", each, null)).containsExactly("k:[a, b, d]");
            assertThat(locks("T(String).join('-', #x.?[#this != 'c'])", each, null))
                    .containsExactly("a-b-d");
            assertThat(locks("#x.![#this + '!']", each, null)).contains("a!", "b!", "c!", "d!");
        }
        assertThat(locks("'k:' + #x.![#this].![#this]", List.of("b", "a"), null))
                .containsExactly("k:[b, a]");
        assertThat(locks("#x.![#this]", new String[] {"b", "a"}, null)).containsExactly("a", "b");
    }

    @Test
    void elementOfASetHasNoNumber() {
        assertThat(locks("#x[0]", List.of("b", "a"), null)).containsExactly("b");
        assertThat(locks("#x[0]", new LinkedHashSet<>(List.of("b", "a")), null)).containsExactly("b");
        assertThat(locks("#x['a'] + #y[1]", Map.of("a", "k"), List.of("b", "c")))
                .containsExactly("kc");
        assertRefused("'k:' + #x[0]", Set.of("a"), null, "a set", "Declare a List");
        assertRefused("'k:' + #x['a']", Map.of(), null, "#x['a'] is null", "#x['a'] ?: 'none'");
    }

    @Test
    void elementIsTakenByItsPositionOnlyOfWhatHasAnOrder() {
        for (String key : List.of("#x.^[true]", "#x.$[true]", "#x.?[true][0]", "#x.![#this][0]")) {
            assertRefused(key, Set.of("a"), null, "by its position", "Declare a List");
        }
        assertRefused("#x.values()[0]", Map.of("k", "a"), null, "by its position");
        assertRefused("#x.^[true].![key]", Map.of("k", "a"), null, "by its position");
        assertThat(locks("#x.^[true] + #x.$[true]", List.of("b", "a"), null)).containsExactly("ba");
        assertThat(locks("#x.^[true]", new String[] {"b", "a"}, null)).containsExactly("b");
        assertThat(locks("#x.$[true]", new LinkedHashSet<>(List.of("b", "a")), null))
                .containsExactly("a");
        assertThat(locks("#x[0]", new ArrayDeque<>(List.of("b", "a")), null)).containsExactly("b");
        assertThat(locks("#x.^[true].![key]", new TreeMap<>(Map.of("k", "a", "l", "b")), null))
                .containsExactly("k");
    }

    @Test
    void textOfAStreamIsRefused() {
        assertRefused(
                "#x.stream().collect(T(java.util.stream.Collectors).joining(':'))",
                Arrays.asList("k", null),
                null,
                "makes a text of a stream",
                "join");
    }

    @Test
    void textThatAnObjectMakesOnRequestIsItsOwn() {
        assertThat(locks("'k:' + #x.toString()", new ObjectId(), null)).containsExactly("k:o-1");
        for (Object other : List.of(
                new Account(), new Order("7", 1), Optional.of("a"), Map.of("a", 1), 1.5, new BigDecimal("1.0"))) {
            assertRefused(
                    "'k:' + #x.toString()",
                    other,
                    null,
                    "toString()",
                    other.getClass().getTypeName());
        }
    }

    @Test
    void hashThatDiffersFromProcessToProcessIsRefused() {
        assertThat(locks("'k:' + #x.hashCode() % 16", "a", null)).containsExactly("k:1");
        for (Object other : List.of(
                new Account(), Region.NORTH, new Order("7", 1), List.of(Region.NORTH), Optional.of(Region.NORTH))) {
            assertRefused("'k:' + #x.hashCode()", other, null, "hashCode()");
        }
        assertRefused("'k:' + T(java.util.Objects).hash(#x)", new Account(), null, "argument 1 of hash");
        assertRefused("'k:' + T(System).identityHashCode(#x)", "a", null, "identityHashCode");
        assertRefused("T(org.springframework.util.ObjectUtils).identityToString(#x)", "a", null, "identityToString");
    }

    @Test
    void formatsAndMethodsOfTheApplicationGetTheirArgumentsAsTheyAre() {
        assertThat(locks("#x.format(#y)", LocalDate.EPOCH, DateTimeFormatter.BASIC_ISO_DATE))
                .containsExactly("19700101");
        assertThat(locks("T(String).format(#y, 'k%05d', #x)", 7, Locale.ROOT)).containsExactly("k00007");
        String helper = "T(io.github.cassandralock.internal.aop.KeyPartsOfCallsTest)";
        assertThat(locks(helper + ".nameOf(#x, #y)", new Account(), null)).containsExactly("account 42");
        assertThat(locks(helper + ".ofText(#x)", new Id(7), null)).containsExactly("text 7");
        assertRefused(helper + ".ofText(#x)", new Account(), null, "argument 1 of ofText");
    }

    public static String nameOf(Account account, @Nullable Object other) {
        return "account " + account.getId();
    }

    public static String ofText(String text) {
        return "text " + text;
    }

    @Test
    void textWithoutQuotesIsRefusedAtTheStart() {
        Map<String, String> mistakes = Map.of(
                "nightly", "quote a literal",
                "nightly-billing", "quote a literal",
                "k + #x", "quote a literal",
                "k:#{y}", "write #y",
                "'k:' + x", "write #x",
                "'k'.concat(x)", "write #x",
                "nightly()", "quote a literal",
                "nightly.job", "quote a literal");
        mistakes.forEach((key, advice) -> assertThatThrownBy(() -> locks(key, "a", "b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("\"" + key + "\"", "Bank.run", advice));
        assertThat(locks("methodName + ':' + args[0]", "a", null)).containsExactly("run:a");
        assertThat(locks("'k:' + #x[id]", Map.of("id", 7), null)).containsExactly("k:7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "null", "1.5", "' '", "{}", "'a' + null", "{'a', 1.5}", "''"})
    void constantThatNamesNoLockIsRefusedAtTheStart(String key) {
        assertThatThrownBy(() -> locks(key, null, null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(key, "Bank.run");
    }

    @Test
    void constantsMayBeComputed() {
        assertThat(locks("42", null, null)).containsExactly("42");
        assertThat(locks("{'a', 'b' + 1}", null, null)).containsExactly("a", "b1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ar-EG-u-nu-arab", "tr"})
    void textDoesNotDependOnTheLocaleOfTheProcess(String locale) {
        Locale usual = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(locale));
        try {
            assertThat(locks("T(String).format('k%05d', #x)", 7, null)).containsExactly("k00007");
            assertThat(locks("'k%05d %s'.formatted(#x, #y)", 7, "i")).containsExactly("k00007 i");
            assertThat(locks("#y.toUpperCase() + #x", 7, "id")).containsExactly("ID7");
            assertThat(locks("#y.toLowerCase() + #x", 7, "ID")).containsExactly("id7");
        } finally {
            Locale.setDefault(usual);
        }
    }
}
