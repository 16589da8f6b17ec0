import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { RecentPayloads } from "../../../core/documents/index.js";
import {
  Organization,
  RecentPayload,
} from "../../../core/storage/database/index.js";
import {
  type DraftClient,
  newDraftClient,
} from "../../support/draft-client.js";
import { reader } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { eachDatabase, newOwner, publish } from "../../support/store.js";

const payload = z.strictObject({
  at: z.iso.datetime(),
  source: z.string(),
  data: z.unknown(),
});
const readPayloads = reader(z.strictObject({ payloads: z.array(payload) }));
const formats = ["html"];

describe("recent payloads of a template", () => {
  const service = useService();
  let drafts: DraftClient;
  before(async () => {
    drafts = await newDraftClient(service);
    const { organizationId: id } = drafts.visitor;
    await service.store.unitOfWork.run((tx) =>
      tx.update(Organization, { id }, { plan: "premium" }),
    );
  });
  const payloads = async (templateId = drafts.templateId) => {
    const path = `/studio/api/drafts/${templateId}/payloads`;
    return (await readPayloads(await drafts.visitor.get(path))).payloads;
  };
  const render = async (data: object, templateId = drafts.templateId) => {
    const body = { templateId, formats, data };
    const response = await drafts.visitor.send("POST", "/api/export", body);
    expect(response.status).to.equal(200);
  };

  it("are the records of documents, the first of each minute", async () => {
    await render({ name: "Ada" });
    await render({ name: "Bob" });
    const [first, ...others] = await payloads();
    expect(first).to.deep.include({
      source: "document",
      data: { name: "Ada" },
    });
    expect(others).to.deep.equal([]);
  });

  it("include the records of batches", async () => {
    const templateId = await publish(service.store, drafts.visitor);
    const items = [{ data: { name: "One" } }, { data: { name: "Two" } }];
    const body = { templateId, formats, items };
    const response = await drafts.visitor.send(
      "POST",
      "/api/export/batch",
      body,
    );
    expect(response.status).to.equal(202);
    const [first] = await payloads(templateId);
    expect(first).to.deep.include({ source: "batch", data: { name: "One" } });
  });

  it("exclude large records", async () => {
    const templateId = await publish(service.store, drafts.visitor);
    await render({ name: "x".repeat(300_000) }, templateId);
    expect(await payloads(templateId)).to.deep.equal([]);
  });

  it("are deleted after their retention", async () => {
    const hour = new RecentPayloads(service.store, 3_600_000);
    await hour.sweep(new Date());
    expect(await payloads()).to.have.length(1);
    await hour.sweep(new Date(Date.now() + 3_600_001));
    expect(await payloads()).to.deep.equal([]);
  });
});

describe("a service without recent payloads", () => {
  const service = useService({ config: { recentPayloadsMs: 0 } });

  it("stores none", async () => {
    const { visitor, templateId, path } = await newDraftClient(service);
    const body = { templateId, formats, data: { name: "Ada" } };
    await visitor.send("POST", "/api/export", body);
    expect(await service.store.read.count(RecentPayload)).to.equal(0);
    const response = await visitor.get(`${path}/payloads`);
    expect(await response.json()).to.deep.equal({ payloads: [] });
  });
});

eachDatabase((open) => {
  it("the last five of a template's recent payloads are kept, newest first", async () => {
    const dayMs = 24 * 3_600_000;
    const store = await open();
    const owner = await newOwner(store);
    const templateId = await publish(store, owner);
    const { organizationId } = owner;
    for (let n = 0; n < 8; n++) {
      // As many processes: each writes one a minute.
      const payloads = new RecentPayloads(store, dayMs);
      const json = () => JSON.stringify({ n });
      const source = "document" as const;
      const recent = { organizationId, templateId, source, json };
      const at = new Date(Date.now() - dayMs / 2 + n);
      await store.unitOfWork.run((tx) => payloads.note(tx, recent, at));
    }
    const kept = new RecentPayloads(store, dayMs);
    const list = await kept.list(organizationId, templateId);
    expect(list.map(({ data }) => data)).to.deep.equal(
      [7, 6, 5, 4, 3].map((n) => ({ n })),
    );
  });
});
