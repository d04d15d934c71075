"use strict";

/*
 * Asks every copy what it has done, and one of them what is in the database, again and again. Each copy is asked itself, so that the
 * page goes on when the copy dies that has served it. All times are those of the machine on which the copies run.
 */
(() => {
  const ASK_MS = 250;
  const ASK_DEAD_MS = 2000;
  const TIMEOUT_MS = 2000;
  const FAILURES_OF_A_DEAD = 2;
  const KEPT_MS = 150000;
  const DRAWN_LATE_MS = 700;
  const AROUND_MS = 3000;
  const BEFORE_MS = 30000;
  const MOST_EVENTS = 12;
  const WORKERS = ["window", "archive", "counter"];
  const COLOURS = 4;

  /** What is left of the pictures for words, in pixels. */
  const GUTTER = 58;

  const byId = id => document.getElementById(id);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const copies = new Map();
  const makers = new Map();
  const outputs = [];
  const increments = new Map();
  const deaths = [];
  const check = {first: null, next: null, missing: 0, doubles: 0, counter: null, agreed: null, wrong: false};
  const state = {place: 0, offset: 0, answered: false, paused: false, counter: null, lags: [], windowMillis: 0, threshold: 0};

  const now = () => Date.now() + state.offset;

  // What copies answer

  async function ask(url) {
    const answer = await fetch(url, {signal: AbortSignal.timeout(TIMEOUT_MS), cache: "no-store"});
    if (!answer.ok) throw new Error(url + " answers " + answer.status);
    return answer.json();
  }

  function copyAt(pid, url) {
    if (!copies.has(pid)) {
      const copy = {
        pid, url, colour: copies.size % COLOURS, state: "new", failures: 0, number: 0, heardAt: null, endedAt: null, listed: true,
        steps: 0, refused: 0, violations: 0, marks: new Map(WORKERS.map(worker => [worker, []]))
      };
      copies.set(pid, copy);
      follow(copy);
    }
    return copies.get(pid);
  }

  /** One loop for each copy, so that none waits for another. */
  async function follow(copy) {
    while (!copy.old) {
      try {
        learn(copy, await ask(copy.url + "/copy?after=" + copy.number));
        heard(copy);
      } catch (error) {
        notHeard(copy, error);
      }
      await pause(copy.state === "dead" || copy.state === "closed" ? ASK_DEAD_MS : ASK_MS);
    }
  }

  const pause = millis => new Promise(done => setTimeout(done, millis));

  function learn(copy, answer) {
    if (answer.pid !== copy.pid) throw new TypeError("Another process has the port");
    copy.refused = answer.refused;
    copy.violations = answer.violations;
    for (const entry of answer.steps) {
      copy.number = entry.number;
      if (!copy.marks.has(entry.by)) continue;
      copy.marks.get(entry.by).push(entry.at);
      if (entry.by === WORKERS[0]) {
        copy.steps++;
        makers.set(entry.step, copy);
      }
    }
  }

  function heard(copy) {
    if (copy.state === "new") tell("Copy " + copy.pid + " works.");
    if (copy.state === "silent" || copy.state === "dead") tell("Copy " + copy.pid + " answers again.");
    copy.state = "alive";
    copy.failures = 0;
    copy.heardAt = now();
    copy.endedAt = null;
  }

  /** A process that is gone refuses the connection at once. One that stands still lets the time pass. */
  function notHeard(copy, error) {
    if (error.name === "TimeoutError") {
      if (copy.state === "alive") ended(copy, "silent");
    } else if (++copy.failures >= FAILURES_OF_A_DEAD && (copy.state === "alive" || copy.state === "new")) {
      ended(copy, copy.listed ? "dead" : "closed");
    }
  }

  function ended(copy, how) {
    const seen = copy.heardAt !== null;
    copy.state = how;
    copy.endedAt = now();
    if (!seen) return;
    const last = outputs.length ? outputs[outputs.length - 1].step : 0;
    const death = {copy, how, at: copy.heardAt, foundAt: copy.endedAt, step: last, before: null, around: null};
    deaths.push(death);
    copy.death = death;
    death.event = tell("");
  }

  /** A copy that is closed strikes itself out, but does not answer any more before that. */
  function closed(copy) {
    copy.state = "closed";
    if (copy.death) copy.death.how = "closed";
  }

  /** One loop: asks a copy that is alive, first of all the one that has served the page. */
  async function followTask() {
    let url = location.origin;
    while (true) {
      try {
        learnTask(await ask(url + "/task?after=" + state.place));
        state.answered = true;
      } catch (error) {
        const alive = [...copies.values()].filter(copy => copy.state === "alive" && copy.url !== url);
        state.answered = alive.length > 0;
        if (alive.length) url = alive[0].url;
      }
      showFigures();
      await pause(ASK_MS);
    }
  }

  function learnTask(answer) {
    state.offset = answer.now - Date.now();
    state.windowMillis = answer.windowMillis;
    state.threshold = answer.threshold;
    state.lags = answer.lags;
    state.counter = answer.counter;
    const listed = new Set(answer.copies.map(copy => copy.pid));
    answer.copies.forEach(copy => copyAt(copy.pid, copy.url));
    copies.forEach(copy => {
      copy.listed = listed.has(copy.pid);
      if (copy.state === "dead" && !copy.listed) closed(copy);
    });
    answer.outputs.forEach(learnOutput);
    checkCounter(answer.counter);
    forget();
  }

  // Whether all is right

  /** Outputs come in the order in which they were written. Their steps must be n, n + 1, n + 2, … */
  function learnOutput(output) {
    if (output.place <= state.place) return;
    state.place = output.place;
    if (check.next === null) check.first = check.next = output.step;
    if (output.step < check.next) check.doubles++;
    else {
      check.missing += output.step - check.next;
      check.next = output.step + 1;
    }
    const before = outputs[outputs.length - 1];
    output.gap = before ? output.at - before.at : 0;
    outputs.push(output);
    increments.set(output.step, output.increments);
  }

  /** The counter was raised for a step last. The output of that step says how often it was to be raised by then. */
  function checkCounter(counter) {
    const expected = counter.lastStep === 0 ? 0 : increments.get(counter.lastStep);
    if (expected === undefined) return;
    check.agreed = counter.lastStep;
    if (expected !== counter.value) check.wrong = true;
  }

  function forget() {
    const oldest = now() - KEPT_MS;
    while (outputs.length && outputs[0].at < oldest) {
      makers.delete(outputs[0].step);
      const gone = outputs.shift();
      if (gone.step < check.agreed) increments.delete(gone.step);
    }
    copies.forEach(copy => copy.marks.forEach(marks => {
      while (marks.length && marks[0] < oldest) marks.shift();
    }));
    copies.forEach(copy => { copy.old = copy.endedAt !== null && copy.endedAt < oldest - KEPT_MS; });
  }

  function longestGap(from, to) {
    let longest = null;
    for (const output of outputs) {
      if (output.at >= from && output.at - output.gap <= to && output.gap > 0) longest = Math.max(longest ?? 0, output.gap);
    }
    return longest;
  }

  // What is shown

  const millis = value => value === null ? "–" : value < 10000 ? value + " ms" : (value / 1000).toFixed(1) + " s";
  const count = value => value.toLocaleString("en");

  function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function tell(text) {
    const item = element("li");
    item.append(element("time", "", new Date(now()).toLocaleTimeString("en-GB")), element("span", "", text));
    byId("events").prepend(item);
    byId("no-events").hidden = true;
    while (byId("events").children.length > MOST_EVENTS) byId("events").lastElementChild.remove();
    if (text) setText(byId("announcement"), text);
    return item.lastElementChild;
  }

  function showFigures() {
    const alive = [...copies.values()].filter(copy => copy.state === "alive").length;
    const last = outputs[outputs.length - 1];
    const minute = outputs.filter(output => output.at > now() - 60000);
    setText(byId("outputs"), last ? count(last.step) : "–");
    setText(byId("outputs-note"), minute.length > 1
      ? (minute.length / Math.max(1, (now() - minute[0].at) / 1000)).toFixed(1) + " a second" : "none yet");
    setText(byId("gap"), millis(longestGap(now() - 60000, now())));
    showSequence();
    showCounter();
    showLags();
    copies.forEach(showCopy);
    deaths.forEach(showDeath);
    const silence = last ? now() - last.at : 0;
    setText(byId("gap-note"), silence > 2000 ? "none for " + (silence / 1000).toFixed(0) + " s now" : "in the last minute");
    showLive(alive);
    setText(byId("task"), "Two streams of numbers, a window of " + state.windowMillis / 1000 + " s, and "
      + (alive === 1 ? "1 copy that works" : alive + " copies that work at the same time"));
  }

  function showSequence() {
    if (check.next === null) return;
    const violations = [...copies.values()].reduce((sum, copy) => sum + copy.violations, 0);
    const right = check.missing + check.doubles + violations === 0;
    byId("sequence-figure").dataset.state = right ? "right" : "wrong";
    setText(byId("sequence"), right ? "Complete" : "Broken");
    setText(byId("sequence-note"), "steps " + count(check.first) + " to " + count(check.next - 1) + ": " + count(check.missing)
      + " missing, " + count(check.doubles) + " twice" + (violations ? "; " + violations + " inputs missing or twice" : ""));
  }

  function showCounter() {
    if (!state.counter) return;
    byId("counter-figure").dataset.state = check.wrong ? "wrong" : check.agreed === null ? "" : "right";
    setText(byId("counter"), count(state.counter.value));
    setText(byId("counter-note"), check.wrong ? "differs from what the steps have decided"
      : check.agreed === null ? "over " + state.threshold + " numbers in the window"
        : "right: so often were there more than " + state.threshold + " numbers");
  }

  function showLags() {
    const rows = state.lags.map(lag => {
      const row = element("tr");
      row.append(element("td", "", lag.queue), element("td", "", lag.consumer), element("td", "number", count(lag.messages)));
      return row;
    });
    byId("lags").replaceChildren(...rows);
  }

  function showLive(alive) {
    byId("live").dataset.state = state.answered ? "live" : "failing";
    setText(byId("live-text"), state.paused ? "Paused" : state.answered ? "Live" : "Not answering");
    const own = [...copies.values()].find(copy => copy.url === location.origin);
    const other = [...copies.values()].find(copy => copy.state === "alive");
    const problem = byId("problem");
    if (!state.answered && alive === 0) {
      problem.hidden = false;
      setText(problem, "No copy answers. Start one by the command with which you started the others.");
    } else if (own && own.state !== "alive" && own.state !== "new" && other) {
      problem.hidden = false;
      if (problem.dataset.of !== other.url) {
        problem.dataset.of = other.url;
        const link = element("a", "", "one that works");
        link.href = other.url + "/";
        problem.replaceChildren("This page came from copy " + own.pid + ", which does not answer. The page goes on. To load it"
          + " again, load it from ", link, ".");
      }
    } else {
      problem.hidden = true;
      delete problem.dataset.of;
    }
  }

  const STATES = {new: "Starting", alive: "Works", silent: "Stands still", dead: "Dead", closed: "Closed"};

  function showCopy(copy) {
    if (copy.old) {
      copy.item?.remove();
      return;
    }
    copy.item ??= createCopy(copy);
    const badge = copy.item.querySelector(".badge");
    copy.item.dataset.state = badge.dataset.state = copy.state;
    setText(badge, STATES[copy.state]);
    setText(copy.item.querySelector(".note"), count(copy.steps) + " steps decided · " + count(copy.refused) + " times another was faster");
    copy.item.querySelector(".kill").hidden = copy.state !== "alive" && copy.state !== "silent";
  }

  function createCopy(copy) {
    const item = element("li");
    item.dataset.pid = copy.pid;
    const head = element("div", "copy-head");
    const swatch = element("span", "swatch of-" + copy.colour + (copy.colour % 2 ? " odd" : ""));
    const command = "kill -9 " + copy.pid;
    const kill = element("span", "kill");
    const button = element("button", "button", "Copy");
    button.type = "button";
    button.setAttribute("aria-label", "Copy the command " + command);
    button.addEventListener("click", () => navigator.clipboard.writeText(command).then(() => {
      setText(button, "Copied");
      setTimeout(() => setText(button, "Copy"), 1500);
    }, () => getSelection().selectAllChildren(kill.firstElementChild)));
    kill.append(element("code", "", command), button);
    head.append(swatch, element("h3", "", "Process " + copy.pid), element("span", "badge"), element("span", "note"), kill);
    const lane = svg("svg", "lane", {role: "img", "aria-label": "Steps of process " + copy.pid + " over time"});
    item.append(head, lane);
    byId("copies").append(item);
    return item;
  }

  /** Written again while outputs come, so that they show that the work goes on. */
  function showDeath(death) {
    if (death.copy.death !== death) return;
    const end = Math.min(now(), death.foundAt + AROUND_MS);
    death.around = longestGap(death.at - ASK_MS, end) ?? death.around;
    death.before ??= longestGap(death.at - BEFORE_MS, death.at - ASK_MS);
    const since = check.next === null ? 0 : check.next - 1 - death.step;
    const how = {dead: "is dead", silent: "stands still", closed: "has closed"}[death.how];
    death.event.dataset.pid = death.copy.pid;
    Object.assign(death.event.dataset, {since, around: death.around ?? 0, before: death.before ?? 0});
    setText(death.event, "Copy " + death.copy.pid + " " + how + ". " + count(since) + " outputs since then. Longest gap around its end: "
      + millis(death.around) + "; in the " + BEFORE_MS / 1000 + " s before: " + millis(death.before) + ".");
    if (!death.told) {
      death.told = true;
      setText(byId("announcement"), "Copy " + death.copy.pid + " " + how + ".");
    }
  }

  // Pictures

  function svg(name, className, attributes) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    made.setAttribute("class", className);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  }

  function text(x, y, className, content, anchor) {
    const made = svg("text", className, {x, y, "text-anchor": anchor});
    made.textContent = content;
    return made;
  }

  /** Where times are in pictures of this width. */
  function scale(width) {
    const right = now() - DRAWN_LATE_MS;
    const span = width < 520 ? 20000 : 45000;
    return {right, left: right - span, x: at => (width - (right - at) / span * (width - GUTTER)).toFixed(1)};
  }

  function draw() {
    const width = byId("averages").clientWidth;
    const time = scale(width);
    drawAverages(byId("averages"), width, time);
    copies.forEach(copy => {
      if (copy.item && !copy.old) drawLane(copy.item.querySelector(".lane"), width, time, copy);
    });
  }

  function frame(picture, width, height) {
    picture.setAttribute("viewBox", "0 0 " + width + " " + height);
  }

  function drawAverages(picture, width, time) {
    const height = 176, bottom = 152, top = 10;
    frame(picture, width, height);
    const shown = outputs.filter(output => output.at >= time.left && output.at <= time.right);
    const values = shown.map(output => output.average);
    const low = Math.floor(Math.min(...values, 18)), high = Math.ceil(Math.max(...values, low + 4));
    const y = value => (bottom - (value - low) / (high - low) * (bottom - top)).toFixed(1);
    const shapes = [];
    const step = width < 520 ? 10000 : 5000;
    for (let at = Math.ceil(time.left / step) * step; at <= time.right; at += step) {
      shapes.push(svg("line", "grid", {x1: time.x(at), x2: time.x(at), y1: top, y2: bottom}));
      if (Number(time.x(at)) < width - 30) {
        shapes.push(text(time.x(at), height - 6, "axis", new Date(at).toLocaleTimeString("en-GB"), "middle"));
      }
    }
    shapes.push(svg("polyline", "average", {points: shown.map(output => time.x(output.at) + "," + y(output.average)).join(" ")}));
    const paths = new Map();
    for (const output of shown) {
      const maker = makers.get(output.step);
      const colour = maker ? maker.colour : "unknown";
      paths.set(colour, (paths.get(colour) || "") + "M" + time.x(output.at) + " " + y(output.average) + "h.01");
    }
    paths.forEach((d, colour) => shapes.push(svg("path", "dots of-" + colour + (colour % 2 === 1 ? " odd" : ""), {d})));
    shapes.push(text(GUTTER - 10, top + 9, "axis", high, "end"), text(GUTTER - 10, bottom, "axis", low, "end"));
    shapes.push(...ends(time, top, bottom, deaths, true));
    picture.replaceChildren(...shapes);
  }

  function ends(time, top, bottom, which, named) {
    return which.filter(death => death.at > time.left).flatMap(death => {
      const x = time.x(death.at);
      const line = svg("line", "end", {x1: x, x2: x, y1: top, y2: bottom});
      return named ? [line, text(Number(x) - 6, top + 12, "end-text", "end of " + death.copy.pid, "end")] : [line];
    });
  }

  function drawLane(picture, width, time, copy) {
    const height = 62, row = 18;
    frame(picture, width, height);
    const shapes = WORKERS.map((worker, i) => {
      const y = 6 + i * row;
      const d = copy.marks.get(worker)
        .filter(at => at >= time.left && at <= time.right)
        .map(at => "M" + time.x(at) + " " + y + "v14").join("");
      return svg("path", "marks of-" + copy.colour, {d});
    });
    WORKERS.forEach((worker, i) => shapes.push(text(6, 17 + i * row, "row-text", worker, "start")));
    shapes.push(...ends(time, 0, height, copy.death && copy.state !== "alive" ? [copy.death] : [], false));
    picture.replaceChildren(...shapes);
  }

  async function drawAgainAndAgain() {
    while (true) {
      if (!state.paused && !document.hidden) draw();
      await pause(calm.matches ? 1000 : 100);
    }
  }

  byId("pause").addEventListener("click", () => {
    state.paused = !state.paused;
    byId("pause").setAttribute("aria-pressed", state.paused);
    setText(byId("pause"), state.paused ? "Go on" : "Pause");
  });

  followTask();
  drawAgainAndAgain();
})();
