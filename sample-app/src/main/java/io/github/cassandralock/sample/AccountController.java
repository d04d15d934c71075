package io.github.cassandralock.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The counter. An account's id is up to 64 letters, digits, underscores and hyphens. */
@RestController
@RequestMapping(AccountController.ACCOUNT)
class AccountController {

    static final String ACCOUNT = "/accounts/{id:[\\w-]{1,64}}";

    private final Bank bank;

    AccountController(Bank bank) {
        this.bank = bank;
    }

    @GetMapping
    Account show(@PathVariable String id) {
        return bank.account(id);
    }

    @PostMapping("/deposits")
    Account deposit(@PathVariable String id, @RequestParam String amount) {
        return bank.deposit(id, Amount.parse(amount));
    }

    @PostMapping("/withdrawals")
    Account withdraw(@PathVariable String id, @RequestParam String amount) {
        return bank.withdraw(id, Amount.parse(amount));
    }
}
