import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { batchWhen, sendBatch } from "../support/batches.js";
import { replies } from "../support/caller.js";
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

const made = z.looseObject({ id: z.string() });
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const upper = (id: string) => id.toUpperCase();
/** Only the UUID; `doc_` and its like stay. */
const upperUuid = (id: string) =>
  id.replace(/[0-9a-f-]{36}$/, (uuid) => uuid.toUpperCase());

describe("an id in upper case", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  let caller: RecordCaller;
  let batchId: string;
  let documentId: string;
  const create = async (path: string, body: object) => {
    const response = await caller.post(path, body);
    const json: unknown = await response.json();
    expect(response.status, JSON.stringify(json)).to.be.lessThan(300);
    return made.parse(json);
  };

  before(async () => {
    addOrder(platform, "A");
    caller = await newRecordCaller(service);
    const body = { templateId: caller.templateId, formats: ["html"] };
    const batch = await sendBatch(caller, { ...body, items: [{}] });
    batchId = batch.batchId;
    documentId = batch.documents[0]?.id ?? "";
    await batchWhen(caller, batchId);
  });

  it("is the same id in a path", async () => {
    const folder = await create("/api/folders", { name: "F", kind: "asset" });
    const asset = await create("/api/assets", {
      name: "a.png",
      base64Data: pixel,
    });
    const webhook = await create("/api/webhooks", {
      url: "https://shop.example.com/platen",
    });
    const link = await createLink(caller);
    const versions = await replies.versions(
      await caller.get(`/api/templates/${caller.templateId}/versions`),
    );
    for (const path of [
      `/api/templates/${upper(caller.templateId)}`,
      `/api/templates/${upper(caller.templateId)}?typeOnly=true`,
      `/api/templates/${upper(caller.templateId)}/versions`,
      `/api/templates/${upper(caller.templateId)}/${upperUuid(versions[0]?.id ?? "")}`,
      `/api/connections/${upper(caller.connectionId)}`,
      `/api/assets/${upper(asset.id)}`,
      `/api/webhooks/${upper(webhook.id)}`,
      `/api/webhooks/${upper(webhook.id)}/deliveries`,
      `/api/links/${upper(link.id)}`,
      `/api/batches/${upperUuid(batchId)}`,
      `/api/documents/${upperUuid(documentId)}`,
      `/api/documents/${upper(documentId)}`,
    ])
      expect((await caller.get(path)).status, path).to.equal(200);
    const patched = await caller.patch(`/api/folders/${upper(folder.id)}`, {
      name: "G",
    });
    expect(patched.status).to.equal(200);
  });

  it("is the same id in a query", async () => {
    const folder = await create("/api/folders", { name: "Q", kind: "asset" });
    await create("/api/folders", {
      name: "R",
      kind: "asset",
      parentId: upper(folder.id),
    });
    await create("/api/assets", {
      name: "q.png",
      base64Data: pixel,
      folderId: upper(folder.id),
    });
    for (const path of [
      `/api/documents?templateId=${upper(caller.templateId)}`,
      `/api/documents?batchId=${upperUuid(batchId)}`,
      `/api/assets?folderId=${upper(folder.id)}`,
      `/api/folders?parentId=${upper(folder.id)}`,
    ]) {
      const list: unknown = await (await caller.get(path)).json();
      expect(list, path).to.have.nested.property("pagination.total", 1);
    }
  });

  it("is the same id in a body, and is answered in lower case", async () => {
    const templateId = upper(caller.templateId);
    const rendered = await caller.post("/api/export", {
      templateId,
      formats: ["html"],
    });
    expect(rendered.status).to.equal(200);
    const batch = await sendBatch(caller, {
      templateId,
      formats: ["html"],
      items: [{}],
    });
    expect(batch.documents[0]?.templateId).to.equal(caller.templateId);
    const ofRecords = await postRecords(caller, ["A"], {
      templateId,
      connectionId: upper(caller.connectionId),
    });
    expect(ofRecords.status).to.equal(202);
    const link = await createLink(caller, {
      templateId,
      connectionId: upper(caller.connectionId),
    });
    expect(link).to.include({
      templateId: caller.templateId,
      connectionId: caller.connectionId,
    });
    await create("/api/templates", { name: "C", cloneTemplateId: templateId });
    const folder = await create("/api/folders", {
      name: "T",
      kind: "template",
    });
    const moved = await replies.templateSettings(
      await caller.patch(`/api/templates/${templateId}`, {
        folderId: upper(folder.id),
      }),
    );
    expect(moved.folderId).to.equal(folder.id);
  });

  it("is the template that a link is bound to", async () => {
    const { token } = await createLink(caller);
    const response = await fetch(`${service.url}/api/export/batch/memory`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Link ${token}`,
      },
      body: JSON.stringify({
        templateId: upper(caller.templateId),
        recordIds: ["A"],
      }),
    });
    expect(response.status).to.equal(202);
  });

  it("is the same image in a definition", async () => {
    const asset = await create("/api/assets", {
      name: "i.png",
      base64Data: pixel,
    });
    const image = { id: "i", type: "image", src: `asset:${upper(asset.id)}` };
    const template = await create("/api/templates", {
      name: "I",
      definition: { ...definition, components: [image] },
    });
    const response = await caller.post("/api/export", {
      templateId: template.id,
      formats: ["html"],
      strict: true,
    });
    expect(response.status, await response.clone().text()).to.equal(200);
  });
});
