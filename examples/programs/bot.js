// A bot for Bastide in JavaScript: `bastide play --seats 'human,program:node examples/programs/bot.js'`.
// It answers one line of JSON with one line of JSON; docs/writing-a-bot.md has all members. Of the first places on the
// list it tries some and takes the one after which it leads most.
"use strict";
const TRIES = 8;
const lines = require("node:readline").createInterface({ input: process.stdin });
const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

let asked = null; // the question
let next = 0; // the action that is tried now
let best = { lead: -Infinity, action: null };

function lead(scores) {
  const others = scores.filter((_, seat) => seat !== asked.seat);
  return scores[asked.seat] - Math.max(0, ...others);
}

function goOn() {
  if (next < Math.min(TRIES, asked.legal.length)) say({ try: [asked.legal[next]] });
  else say({ action: best.action });
}

lines.on("line", (line) => {
  const told = JSON.parse(line);
  if (told.ask === "hello") say({ name: "tracer" });
  else if (told.ask === "choose") {
    asked = told;
    next = 0;
    best = { lead: -Infinity, action: told.legal[0] };
    goOn();
  } else if (told.ask === "tried") {
    if (!told.refused && lead(told.scores) > best.lead) best = { lead: lead(told.scores), action: asked.legal[next] };
    next += 1;
    goOn();
  }
});
