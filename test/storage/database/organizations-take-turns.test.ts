import { expect } from "chai";
import { before, describe, it } from "mocha";
import { runAsOwner } from "../../../core/lib/event-loop.js";
import type { Store } from "../../../core/storage/database/index.js";
import { onSqlite } from "../../support/store.js";

describe("units of work and snapshots on SQLite", () => {
  onSqlite((open) => {
    let store: Store;
    before(async () => {
      store = await open();
    });

    const runners = {
      unitOfWork: (work: () => Promise<void>) => store.unitOfWork.run(work),
      snapshot: (work: () => Promise<void>) => store.snapshot(work),
    };

    for (const [name, run] of Object.entries(runners))
      it(`serves organizations in turn, each in the order of its calls (${name})`, async () => {
        const order: string[] = [];
        const start = (organizationId: string, number: number) =>
          runAsOwner({ route: "test", organizationId }, () =>
            run(async () => {
              order.push(`${organizationId}${number}`);
            }),
          );
        await Promise.all([
          ...[1, 2, 3, 4].map((number) => start("busy", number)),
          ...[1, 2].map((number) => start("other", number)),
        ]);
        expect(order).to.deep.equal([
          "busy1",
          "busy2",
          "other1",
          "busy3",
          "other2",
          "busy4",
        ]);
      });
  });
});
