package io.github.cassandralock.internal.endpoint;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.invoke.ParameterMappingException;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Answers 400 to requests of one endpoint whose parameters are wrong, and lists the right ones. Spring Boot ignores a
 * parameter that an operation does not have, and converts a list to its first element. Stateless.
 *
 * <p>Requests that only read may have other parameters, as at any endpoint: Spring Security adds {@code continue}, for example.
 *
 * @param guarded whose parameters are checked
 */
public record StrictParameters(GuardedEndpoint guarded) implements OperationInvokerAdvisor {

    private static final int LONGEST_SHOWN = 50;

    @Override
    public OperationInvoker apply(
            EndpointId endpointId, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        return endpointId.equals(EndpointId.of(guarded.id()))
                ? context -> invoke(type, parameters, invoker, context)
                : invoker;
    }

    private static Object invoke(
            OperationType type, OperationParameters parameters, OperationInvoker invoker, InvocationContext context) {
        List<OperationParameter> own = parameters.stream()
                .filter(parameter -> !context.canResolve(parameter.getType()))
                .toList();
        Optional<String> problem =
                repeated(own, context).or(() -> type == OperationType.READ ? Optional.empty() : unknown(own, context));
        if (problem.isPresent()) {
            return refusal(problem.get(), own);
        }
        try {
            return invoker.invoke(context);
        } catch (ParameterMappingException e) {
            return refusal(
                    "The parameter '" + e.getParameter().getName() + "' cannot be '"
                            + StringUtils.truncate(String.valueOf(e.getValue()), LONGEST_SHOWN) + "'",
                    own);
        } catch (InvalidEndpointRequestException e) {
            return refusal(String.valueOf(e.getReason()), own);
        }
    }

    /**
     * The value of a parameter in the path is an array. If a request repeats that parameter elsewhere, the value is a text. The value
     * of any other parameter is a text, or a list if it is repeated.
     */
    private static Optional<String> repeated(List<OperationParameter> own, InvocationContext context) {
        return own.stream()
                .filter(parameter -> {
                    Object value = context.getArguments().get(parameter.getName());
                    boolean fromPath = value instanceof String[];
                    return value instanceof List<?> || (value != null && fromPath != isInPath(parameter));
                })
                .map(parameter -> "The parameter '" + parameter.getName() + "' is there more than once")
                .findFirst();
    }

    private static Optional<String> unknown(List<OperationParameter> own, InvocationContext context) {
        return context.getArguments().keySet().stream()
                .filter(name -> !name.startsWith("_"))
                .filter(name ->
                        own.stream().noneMatch(parameter -> parameter.getName().equals(name)))
                .map(name -> "There is no parameter '" + StringUtils.truncate(name, LONGEST_SHOWN) + "'")
                .findFirst();
    }

    private static boolean isInPath(OperationParameter parameter) {
        return parameter.getType().isArray();
    }

    private static Object refusal(String problem, List<OperationParameter> own) {
        String right = own.stream()
                .filter(parameter -> !isInPath(parameter))
                .map(StrictParameters::described)
                .collect(Collectors.joining(", "));
        return Answers.message(
                WebEndpointResponse.STATUS_BAD_REQUEST,
                problem + ". Parameters of this request, beside its path: " + (right.isEmpty() ? "none" : right)
                        + ". Nothing was done.");
    }

    private static String described(OperationParameter parameter) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(parameter.getType());
        String kind = type == Long.class ? "a whole number" : type == Boolean.class ? "true or false" : "a text";
        return parameter.getName() + " (" + kind + (parameter.isMandatory() ? ")" : ", optional)");
    }
}
