import { expect } from "chai";
import { describe, it } from "mocha";
import { SignatureRequest } from "../../core/storage/database/index.js";
import { useEsign } from "../support/esign.js";
import { eventually } from "../support/eventually.js";
import { onSqlite } from "../support/store.js";

onSqlite((_open, database) => {
  describe("a start that another process has overtaken", () => {
    const harness = useEsign({ config: { database } });
    const { memory, service } = harness;

    it("withdraws the duplicate request", async () => {
      let overtaken = false;
      memory.delay = async (call) => {
        if (call !== "start" || overtaken) return;
        overtaken = true;
        const other = { status: "pending", externalId: "another" } as const;
        await service.store.unitOfWork.run((tx) =>
          tx.update(SignatureRequest, { status: "starting" }, other),
        );
      };
      const id = await harness.send();
      await eventually(
        () => memory.findSubmissions(id)[0]?.status === "canceled",
      );
      expect(await harness.get(id)).to.include({ externalId: "another" });
    });
  });
});
