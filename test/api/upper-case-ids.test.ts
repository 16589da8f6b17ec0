import { expect } from "chai";
import { sendBatch } from "../support/batches.js";
import { json } from "../support/caller.js";
import { createLink } from "../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  postRecords,
  type RecordCaller,
  useRecordService,
} from "../support/records.js";
import { definition } from "../support/store.js";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const upper = (id: string) => id.toUpperCase();

describe("an id in upper case", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  let caller: RecordCaller;
  const create = async (path: string, body: object) =>
    (await json<{ id: string }>(caller.post(path, body), 201)).id;

  before(async () => {
    addOrder(platform, "A");
    caller = await newRecordCaller(service);
  });

  it("is the same id in a query", async () => {
    const { templateId } = caller;
    const body = { templateId, formats: ["html"], items: [{}] };
    const { batchId } = await sendBatch(caller, body);
    const kind = "asset";
    const folder = await create("/api/folders", { name: "Q", kind });
    const parentId = upper(folder);
    await create("/api/folders", { name: "R", kind, parentId });
    const asset = { name: "q.png", base64Data: pixel };
    await create("/api/assets", { ...asset, folderId: upper(folder) });
    for (const path of [
      `documents?templateId=${upper(templateId)}`,
      `documents?batchId=batch_${upper(batchId.slice("batch_".length))}`,
      `assets?folderId=${upper(folder)}`,
      `folders?parentId=${upper(folder)}`,
    ])
      expect(
        await json(caller.get(`/api/${path}`)),
        path,
      ).to.have.nested.property("pagination.total", 1);
  });

  it("is the same id in a body, and is answered in lower case", async () => {
    const templateId = upper(caller.templateId);
    const ids = { templateId, connectionId: upper(caller.connectionId) };
    const formats = ["html"];
    await json(caller.post("/api/export", { templateId, formats }));
    const batch = await sendBatch(caller, { templateId, formats, items: [{}] });
    expect(batch.documents[0]?.templateId).to.equal(caller.templateId);
    await json(postRecords(caller, ["A"], ids), 202);
    const { token, ...link } = await createLink(caller, ids);
    expect(link).to.include({
      templateId: caller.templateId,
      connectionId: caller.connectionId,
    });
    const headers = {
      "content-type": "application/json",
      authorization: `Link ${token}`,
    };
    const body = JSON.stringify({ templateId, recordIds: ["A"] });
    const path = `${service.url}/api/export/batch/memory`;
    await json(fetch(path, { method: "POST", headers, body }), 202);
    await create("/api/templates", { name: "C", cloneTemplateId: templateId });
    const folder = { name: "T", kind: "template" };
    const folderId = await create("/api/folders", folder);
    const moved = { folderId: upper(folderId) };
    expect(
      await json(caller.patch(`/api/templates/${templateId}`, moved)),
    ).to.include({ folderId });
  });

  it("is the same image in a definition", async () => {
    const asset = { name: "i.png", base64Data: pixel };
    const src = `asset:${upper(await create("/api/assets", asset))}`;
    const components = [{ id: "i", type: "image", src }];
    const templateId = await create("/api/templates", {
      name: "I",
      definition: { ...definition, components },
    });
    const body = { templateId, formats: ["html"], strict: true };
    await json(caller.post("/api/export", body));
  });
});
