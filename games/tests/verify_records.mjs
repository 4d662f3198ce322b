// For test_verify_agreement.py: reads a JSON list of record texts, writes what verify.js finds in each.

import { readFileSync } from "node:fs";

import { BadRecord, diceOf, parseRecord, verify } from "../../static/js/dice/verify.js";

async function findings(text) {
  try {
    return await verify(parseRecord(text));
  } catch (error) {
    if (error instanceof BadRecord) return "bad record";
    throw error;
  }
}

const { records, digests } = JSON.parse(readFileSync(0, "utf8"));
const found = [];
for (const text of records) found.push(await findings(text));
const dice = await diceOf(async (block) => Uint8Array.from(digests[block]));
process.stdout.write(JSON.stringify({ found, dice }));
