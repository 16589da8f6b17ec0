import { expect } from "chai";
import { describe, it } from "mocha";
import { IdempotencyKeys } from "../../../core/accounts/index.js";
import { IdempotencyKey } from "../../../core/storage/database/index.js";
import { eachDatabase, newOwner } from "../../support/store.js";

const past = new Date(0);

async function getCode(work: Promise<unknown>): Promise<unknown> {
  const error = await work.catch((thrown: unknown) => thrown);
  return error instanceof Error && "code" in error ? error.code : "it worked";
}

eachDatabase((open) => {
  const setUp = async () => {
    const store = await open();
    const { organizationId } = await newOwner(store);
    const request = { organizationId, key: "k" };
    return {
      store,
      keys: new IdempotencyKeys(store, "a secret of the tests"),
      request,
    };
  };

  describe("a claim on an idempotency key", () => {
    it("excludes others until the response is stored", async () => {
      const { store, keys, request } = await setUp();
      const { claim } = await keys.find(request);
      expect(await getCode(keys.find(request))).to.equal("conflict");
      await store.unitOfWork.run(async (tx) => claim?.keep(tx, "f", "answer"));
      await claim?.letGo();
      const { kept } = await keys.find(request);
      expect(kept).to.deep.equal({ fingerprint: "f", answer: "answer" });
    });

    it("stores no response when the work is rolled back", async () => {
      const { store, keys, request } = await setUp();
      const { claim } = await keys.find(request);
      const rolledBack = store.unitOfWork.run(async (tx) => {
        await claim?.keep(tx, "f", "answer");
        throw new Error("undone");
      });
      await rolledBack.catch(() => undefined);
      await claim?.letGo();
      const second = await keys.find(request);
      expect(second.kept).to.equal(null);
      await second.claim?.letGo();
    });

    it("can be taken over when its process has died, and the old one is then invalid", async () => {
      const { store, keys, request } = await setUp();
      const dead = await keys.find(request);
      await store.unitOfWork.run((tx) =>
        tx.update(IdempotencyKey, request, { claimedUntil: past }),
      );
      const nextClaim = await keys.find(request);
      expect(nextClaim.claim).not.to.equal(null);
      const late = store.unitOfWork.run(async (tx) =>
        dead.claim?.keep(tx, "f", "late"),
      );
      expect(await getCode(late)).to.equal("conflict");
      await dead.claim?.letGo();
      await nextClaim.claim?.letGo();
    });

    it("can be taken again when the stored response is too old", async () => {
      const { store, keys, request } = await setUp();
      const { claim } = await keys.find(request);
      await store.unitOfWork.run(async (tx) => claim?.keep(tx, "f", "old"));
      await claim?.letGo();
      await store.unitOfWork.run((tx) =>
        tx.update(IdempotencyKey, request, { forgetAt: past }),
      );
      const next = await keys.find(request);
      expect(next.kept).to.equal(null);
      await next.claim?.letGo();
    });
  });
});
