package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.spring.ExactlyOnce;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/** Finds methods with {@code @ExactlyOnce}, and refuses those that cannot run in a transaction. Called when all beans are made. */
final class AnnotatedMethods {

    private static final Logger log = LoggerFactory.getLogger(AnnotatedMethods.class);

    private static final int MOST_MESSAGES = 10_000;

    /** Transactions of a method that are not the one that deletes the message, by {@code Propagation}. */
    private static final Set<String> OTHER_TRANSACTION = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

    /** By name: their classes may be missing. */
    private static final String TRANSACTIONAL = "org.springframework.transaction.annotation.Transactional";

    private static final String JAKARTA_TRANSACTIONAL = "jakarta.transaction.Transactional";

    /** All that Spring runs in another thread. */
    private static final List<String> ASYNCHRONOUS = List.of(
            "org.springframework.scheduling.annotation.Async",
            "jakarta.ejb.Asynchronous",
            "jakarta.enterprise.concurrent.Asynchronous");

    private final ConfigurableListableBeanFactory beans;
    private final MessageCodecs codecs;
    private final Map<String, AnnotatedMethod> found = new LinkedHashMap<>();

    AnnotatedMethods(ConfigurableListableBeanFactory beans, MessageCodecs codecs) {
        this.beans = beans;
        this.codecs = codecs;
    }

    /**
     * All methods of all beans.
     *
     * @throws ExplainedException if one of them cannot run
     */
    Collection<AnnotatedMethod> find() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                declared(name).forEach(this::add);
            }
        }
        return List.copyOf(found.values());
    }

    /** Classes that a bean names may be missing, such as classes of a lazy bean that is never made. */
    private List<Declared> declared(String name) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            return type != null && AnnotationUtils.isCandidateClass(type, ExactlyOnce.class)
                    ? declared(name, type)
                    : List.of();
        } catch (LinkageError | IllegalStateException e) { // which Spring makes of it
            log.info(
                    "Bean '{}' is not searched for methods with @ExactlyOnce: a class that it names cannot be loaded: {}",
                    name,
                    e.toString());
            return List.of();
        }
    }

    private static List<Declared> declared(String name, Class<?> type) {
        List<Declared> methods = new ArrayList<>();
        MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<@Nullable ExactlyOnce>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, ExactlyOnce.class))
                .forEach((method, annotation) -> {
                    if (annotation != null) {
                        methods.add(new Declared(name, type, method, annotation));
                    }
                });
        return methods;
    }

    /** A method as its class declares it. */
    private record Declared(String bean, Class<?> type, Method method, ExactlyOnce annotation) {

        ExplainedException refused(String why, String action) {
            return new ExplainedException(this + " cannot take messages: " + why + ".", action);
        }

        @Override
        public String toString() {
            return "The method '" + method.getName() + "' of bean '" + bean + "' with @ExactlyOnce(queue = \""
                    + annotation.queue() + "\")";
        }
    }

    private void add(Declared declared) {
        requireSignature(declared);
        requireThisTransaction(declared);
        String queue = queue(declared);
        AnnotatedMethod other = found.get(queue);
        if (other != null) {
            throw declared.refused(
                    "the method '" + other.method().getName() + "' takes the messages of that queue already",
                    "Give each method a queue of its own. If both are to see each message, push it to two queues.");
        }
        ResolvableType parameter = ResolvableType.forMethodParameter(declared.method(), 0, declared.type());
        boolean takesList = parameter.resolve() == List.class;
        ResolvableType message = takesList ? parameter.getGeneric(0) : parameter;
        Codec<?> codec = codecs.of(message)
                .orElseThrow(() -> declared.refused(
                        "the application has no codec for messages of type " + message,
                        "Declare a bean of type Codec<" + message
                                + ">, primary if there are several. A String or a byte[] needs none."));
        found.put(queue, called(declared, queue, takesList, codec));
        codecs.expect(queue, message);
    }

    private static void requireSignature(Declared declared) {
        Method method = declared.method();
        if (Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers())) {
            throw declared.refused("it is static or private", "Make it a public method of the bean.");
        }
        if (method.getParameterCount() != 1) {
            throw declared.refused(
                    "it has " + method.getParameterCount() + " parameters "
                            + Arrays.toString(method.getParameterTypes()),
                    "Give it one parameter, the message, or a list of messages.");
        }
        if (method.getReturnType() != void.class) {
            throw declared.refused(
                    "it returns " + method.getReturnType().getSimpleName()
                            + ", which nobody would take; work that goes on after its return is not in the transaction",
                    "Return nothing, and do the work within the method. To send a result, push it to a queue.");
        }
        int most = declared.annotation().maxMessages();
        if (most < 1 || most > MOST_MESSAGES) {
            throw declared.refused(
                    "maxMessages is " + most, "Set maxMessages to a number from 1 to " + MOST_MESSAGES + ".");
        }
    }

    private static void requireThisTransaction(Declared declared) {
        if (ASYNCHRONOUS.stream().anyMatch(annotation -> has(declared, annotation))) {
            throw declared.refused(
                    "it is asynchronous, so it would run in another thread, without the transaction",
                    "Remove @Async, or the like, from the method, its class and its interfaces.");
        }
        places(declared)
                .flatMap(place -> Stream.concat(
                        attribute(place, TRANSACTIONAL, "propagation").stream(),
                        attribute(place, JAKARTA_TRANSACTIONAL, "value").stream()))
                .findFirst()
                .filter(OTHER_TRANSACTION::contains)
                .ifPresent(propagation -> {
                    throw declared.refused(
                            "it is @Transactional with " + propagation
                                    + ", so its effect would not be committed with the message",
                            "Remove the propagation: the method runs in a transaction already.");
                });
        places(declared)
                .flatMap(place -> attribute(place, TRANSACTIONAL, "transactionManager").stream())
                .findFirst()
                .filter(manager -> !manager.isEmpty())
                .ifPresent(manager -> {
                    throw declared.refused(
                            "it is @Transactional with the manager '" + manager
                                    + "'. Its effect would not be committed with the message if that is another"
                                    + " manager",
                            "Remove the name of the manager: the method runs in a transaction already.");
                });
    }

    /** Annotations of interfaces and of overridden methods count, as they do for Spring. */
    private static boolean has(Declared declared, String annotation) {
        return places(declared).anyMatch(place -> place.isPresent(annotation));
    }

    private static Optional<String> attribute(MergedAnnotations place, String annotation, String attribute) {
        return Optional.of(place.get(annotation))
                .filter(MergedAnnotation::isPresent)
                .flatMap(found -> found.getValue(attribute))
                .map(AnnotatedMethods::text);
    }

    private static String text(Object value) {
        return value instanceof String[] names ? String.join("", names) : String.valueOf(value);
    }

    /** Where Spring looks for annotations: on the method first, then on its class. */
    private static Stream<MergedAnnotations> places(Declared declared) {
        return Stream.of(declared.method(), declared.type())
                .map(element -> MergedAnnotations.from(element, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY));
    }

    private String queue(Declared declared) {
        try {
            String resolved = beans.resolveEmbeddedValue(declared.annotation().queue());
            return Names.checked("queue", String.valueOf(resolved));
        } catch (IllegalArgumentException e) {
            throw new ExplainedException(
                    declared + " cannot take messages: " + e.getMessage() + ".",
                    "Correct the queue of the annotation, or the property that it names.",
                    e);
        }
    }

    private AnnotatedMethod called(Declared declared, String queue, boolean takesList, Codec<?> codec) {
        if (!beans.isSingleton(declared.bean())) {
            throw declared.refused("the bean is not a singleton", "Put the method into a singleton bean.");
        }
        Object bean = beans.getBean(declared.bean());
        if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(declared.method().getModifiers())) {
            throw declared.refused(
                    "it is final, and Spring has made a proxy of its bean. The method would run on an object without"
                            + " fields",
                    "Remove 'final'; in Kotlin, declare the method open.");
        }
        try {
            Method invocable = AopUtils.selectInvocableMethod(declared.method(), bean.getClass());
            return new AnnotatedMethod(queue, declared.annotation().maxMessages(), bean, invocable, takesList, codec);
        } catch (IllegalStateException e) {
            throw new ExplainedException(
                    declared
                            + " cannot take messages: the proxy that Spring has made of the bean does not have the method.",
                    "Declare the method in an interface of the bean, or set spring.aop.proxy-target-class to true.",
                    e);
        }
    }
}
