package io.github.cassandralock.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The bank's counter. */
@RestController
@RequestMapping("/accounts/{id}")
class AccountController {

    private final Bank bank;
    private final Notifications notifications;

    AccountController(Bank bank, Notifications notifications) {
        this.bank = bank;
        this.notifications = notifications;
    }

    @GetMapping
    Account account(@PathVariable String id) {
        return bank.account(id);
    }

    @PostMapping("/deposits")
    Account deposit(@PathVariable String id, @RequestParam long amount) {
        return bank.deposit(id, positive(amount));
    }

    @PostMapping("/withdrawals")
    Account withdraw(@PathVariable String id, @RequestParam long amount) {
        return bank.withdraw(id, positive(amount));
    }

    /** Welcomes the owner by SMS, once, however often and wherever it is asked for. */
    @PostMapping("/notifications")
    NotificationAnswer sendSms(@PathVariable String id) {
        return new NotificationAnswer(id, notifications.sendOnce(id).orElse(false));
    }

    /** @param sentByThisCall false if it has been sent already, or somebody else is just sending it */
    record NotificationAnswer(String account, boolean sentByThisCall) {}

    private static long positive(long amount) {
        if (amount <= 0) {
            throw new IllegalAmountException(amount);
        }
        return amount;
    }
}
