import { expect } from "chai";
import { describe, it } from "mocha";
import { acceptedBatchSchema } from "../../../core/api/routes/batches.js";
import { Batch } from "../../../core/storage/database/index.js";
import { reader } from "../../support/caller.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  useRecordService,
} from "../../support/records.js";

const readAccepted = reader(acceptedBatchSchema);

describe("a batch of records that is sent again with the same Idempotency-Key", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);

  it("creates one batch and returns 409 for other records", async () => {
    const caller = await newRecordCaller(service);
    for (const id of ["A", "B"]) addOrder(platform, id);
    const { organizationId, templateId, key } = caller;
    const send = (recordIds: string[]) =>
      fetch(`${service.url}/api/export/batch/memory`, {
        method: "POST",
        headers: {
          "x-api-key": key,
          "content-type": "application/json",
          "idempotency-key": "button-1",
        },
        body: JSON.stringify({ templateId, recordIds, formats: ["html"] }),
      });
    const first = await readAccepted(await send(["A"]), 202);
    const second = await readAccepted(await send(["A"]), 202);
    expect(second).to.deep.equal(first);
    expect((await send(["B"])).status).to.equal(409);
    const { read } = service.store;
    expect(await read.countBy(Batch, { organizationId })).to.equal(1);
  });
});
