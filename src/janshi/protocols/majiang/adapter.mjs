// kobalab's majiang-ai as an mjai player for one seat, on standard input and output.
//
//     node adapter.mjs [FOLDER]
//
// FOLDER holds node_modules with the packages of package.json; without it they are looked for beside this file. Every line
// in is an mjai event, or a JSON array of events, and is answered by exactly one line: an mjai action, or
// {"type":"none"}. What cannot be understood is answered by {"type":"error"} and ends the program with status 1.

import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { Seat } from "./seat.mjs";
import { speedUp } from "./shanten.mjs";

const folder = process.argv[2] ? resolve(process.argv[2]) : fileURLToPath(new URL(".", import.meta.url));
const load = createRequire(join(folder, "package.json"));
const core = load("@kobalab/majiang-core");
speedUp(core);
const seat = new Seat(core, load("@kobalab/majiang-ai"));

function answer(line) {
    try {
        return seat.react([JSON.parse(line)].flat());
    } catch (error) {
        console.error(`majiang: ${error.stack}\nmajiang: at the line ${line}`);
        process.exitCode = 1;
        lines.close();
        return { type: "error", message: error.message };
    }
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
    if (line.trim() && !process.exitCode) process.stdout.write(`${JSON.stringify(answer(line))}\n`);
});
