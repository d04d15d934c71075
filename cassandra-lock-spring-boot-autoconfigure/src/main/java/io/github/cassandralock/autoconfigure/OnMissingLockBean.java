package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.connection.ChosenByNameOnly;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The condition of {@link ConditionalOnMissingLockBean}. It is evaluated after the beans of the application are defined. */
final class OnMissingLockBean extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        MergedAnnotation<ConditionalOnMissingLockBean> annotation =
                metadata.getAnnotations().get(ConditionalOnMissingLockBean.class);
        ConfigurableListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
        boolean onlyOwn = context.getEnvironment() instanceof LockerEnvironment;
        String name = annotation.getString("name");
        boolean named = !name.isEmpty() && (onlyOwn ? beans.containsLocalBean(name) : beans.containsBean(name));
        boolean typed = Stream.of(annotation.getClassArray("value"))
                .anyMatch(type -> onlyOwn
                        ? beans.getBeanNamesForType(type, true, false).length > 0
                        : isOfTheApplication(type, beans, context.getEnvironment()));
        return new ConditionOutcome(
                !named && !typed,
                ConditionMessage.forCondition(ConditionalOnMissingLockBean.class)
                        .because(named || typed ? "found such a bean" : "found no such bean"));
    }

    /** Ignores beans that cannot be injected by their type, as Spring Boot's conditions do. */
    private static boolean isOfTheApplication(
            Class<?> type, ConfigurableListableBeanFactory beans, Environment environment) {
        String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
        if (names.length == 0) {
            return false; // spares a search through all properties
        }
        List<String> lockers = LockerEnvironment.names(environment);
        return Stream.of(names).anyMatch(name -> !lockers.contains(name) && ChosenByNameOnly.isCandidate(name, beans));
    }
}
