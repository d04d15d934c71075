package io.github.cassandralock.sample;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockTimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Answers what went wrong as {@code application/problem+json}. */
@RestControllerAdvice
final class Problems extends ResponseEntityExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(Problems.class);

    @ExceptionHandler
    ProblemDetail badAmount(BadAmountException e) {
        return problem(HttpStatus.BAD_REQUEST, "Bad amount", e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail sameAccount(SameAccountException e) {
        return problem(HttpStatus.BAD_REQUEST, "Same account", e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail unknownAccount(UnknownAccountException e) {
        return problem(HttpStatus.NOT_FOUND, "Unknown account", e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail insufficientFunds(InsufficientFundsException e) {
        return problem(HttpStatus.CONFLICT, "Insufficient funds", e.getMessage());
    }

    /** The method did not run. */
    @ExceptionHandler
    ProblemDetail busy(LockTimeoutException e) {
        log.warn("A request waited too long", e);
        return problem(
                HttpStatus.SERVICE_UNAVAILABLE, "The account is busy", "Nothing has been done. Try again in a while.");
    }

    /** The lock was not granted, or was lost: in the second case the caller has to look what became of the money. */
    @ExceptionHandler
    ProblemDetail lock(LockException e) {
        return unavailable(e);
    }

    @ExceptionHandler
    ProblemDetail cassandra(DataAccessException e) {
        return unavailable(e);
    }

    private static ProblemDetail unavailable(RuntimeException e) {
        log.warn("A request failed", e);
        return problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "The bank is out of order",
                "Look at the account before you try again: what you asked for may have been done.");
    }

    private static ProblemDetail problem(HttpStatus status, String title, @Nullable String detail) {
        ProblemDetail problem = ProblemDetail.forStatus(status);
        problem.setTitle(title);
        problem.setDetail(detail);
        return problem;
    }
}
