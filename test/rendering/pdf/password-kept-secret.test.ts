import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller } from "../../support/caller.js";
import { recordingLog } from "../../support/recording-log.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";

describe("the password of a PDF", () => {
  const { log, text } = recordingLog();
  const service = useService({ log });
  const secret = "correct-horse-battery";

  it("appears in no log entry and in no row, also when the render fails", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const pdf = { password: { user: secret, owner: `${secret}-2` } };
    const ask = (body: object) =>
      caller.post("/api/export", {
        templateId,
        formats: ["pdf"],
        renderOptions: { pdf },
        ...body,
      });
    expect((await ask({})).status).to.equal(200);
    expect((await ask({ data: { constructor: 1 } })).status).to.equal(400);
    expect((await ask({ formats: ["x"] })).status).to.equal(400);
    expect(text()).to.contain('"msg":"rendered"');
    expect(text()).not.to.contain(secret);
    const rows: unknown = await service.store.read.query(
      "SELECT * FROM document",
    );
    expect(rows).to.have.length(2);
    expect(JSON.stringify(rows)).not.to.contain(secret);
  });
});
