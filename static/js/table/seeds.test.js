// The promise is the SHA-256 of the seed's bytes, and the seed is kept before the promise leaves.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { commitOf, promise, sealSeen, seedOf } from "./seeds.js";

test("the commitment is the hash of the bytes, not of the text", async () => {
  const seed = "00ff".repeat(16);
  assert.equal(await commitOf(seed), createHash("sha256").update(Buffer.from(seed, "hex")).digest("hex"));
});

const SEAL = "ab".repeat(32);

test("a match has one seed, however often it is promised", async () => {
  assert.equal(seedOf("m-1"), null);
  const commit = await promise("m-1", SEAL);
  assert.match(seedOf("m-1") ?? "", /^[0-9a-f]{64}$/);
  assert.equal(await promise("m-1", SEAL), commit);
  assert.equal(await commitOf(seedOf("m-1") ?? ""), commit);
});

test("two matches have two seeds", async () => {
  assert.notEqual(await promise("m-2", SEAL), await promise("m-3", SEAL));
});

test("the site's seal is remembered as it was first seen", async () => {
  assert.equal(sealSeen("m-4"), null);
  await promise("m-4", SEAL);
  await promise("m-4", "cd".repeat(32));
  assert.equal(sealSeen("m-4"), SEAL);
});
