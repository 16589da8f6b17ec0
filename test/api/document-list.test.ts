import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  readError,
  newCaller,
  type TestCaller,
  replies,
} from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { anyDatabase, publish } from "../support/store.js";

anyDatabase((_open, database) => {
  describe("GET /api/documents", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let templateId: string;
    const ids: string[] = [];
    const list = async (query = "") =>
      replies.documents(await caller.get(`/api/documents${query}`));

    before(async () => {
      caller = await newCaller(service);
      templateId = await publish(service.store, caller);
      for (const strict of [false, true, false]) {
        const body = { templateId, formats: ["html"], strict };
        const response = await caller.post("/api/export", body);
        ids.unshift(response.headers.get("x-document-id") ?? "");
      }
    });

    it("lists every document, newest first, with exactly these fields", async () => {
      const { data, pagination } = await list();
      expect(pagination).to.deep.equal({ page: 1, pageSize: 100, total: 3 });
      expect(data.map(({ id }) => id)).to.deep.equal(ids);
      const fields = [
        "id",
        "organizationId",
        "templateId",
        "createdById",
        "status",
        "outputs",
        "metadata",
        "expiresAt",
        "createdAt",
        "updatedAt",
        "createdBy",
        "template",
      ];
      expect(Object.keys(data[0] ?? {})).to.have.members(fields);
      expect(Object.keys(data[1] ?? {})).to.have.members([...fields, "error"]);
      expect(data[0]).to.deep.include({
        status: "succeeded",
        templateId,
        template: { id: templateId, name: "Letter" },
      });
      expect(data[1]).to.include({ status: "failed" });
      expect(Object.keys(data[0]?.createdBy ?? {})).to.have.members([
        "id",
        "name",
        "email",
        "image",
      ]);
      expect(Object.keys(data[0]?.outputs[0] ?? {})).to.have.members([
        "label",
        "storageKey",
        "url",
        "mimeType",
        "sizeBytes",
        "checksum",
      ]);
    });

    it("returns one page at a time", async () => {
      const { data, pagination } = await list("?page=2&pageSize=2");
      expect(data.map(({ id }) => id)).to.deep.equal(ids.slice(2));
      expect(pagination).to.deep.equal({ page: 2, pageSize: 2, total: 3 });
      expect((await list("?page=7")).data).to.have.length(3);
    });

    for (const query of [
      "pageSize=0",
      "pageSize=101",
      "pageSize=abc",
      "page=0",
      "status=lost",
    ])
      it(`rejects ?${query}`, async () => {
        const response = await caller.get(`/api/documents?${query}`);
        expect(response.status).to.equal(400);
      });

    it("returns a document without createdBy and template", async () => {
      const { document } = await exported(caller, {
        templateId,
        formats: ["html"],
      });
      expect(Object.keys(document)).to.have.members([
        "id",
        "organizationId",
        "templateId",
        "createdById",
        "status",
        "outputs",
        "metadata",
        "expiresAt",
        "createdAt",
        "updatedAt",
      ]);
      expect(document.id).to.match(/^doc_[0-9a-f-]{36}$/);
      expect(document).to.include({
        organizationId: caller.organizationId,
        createdById: caller.userId,
      });
    });

    it("returns no document of another organization", async () => {
      const stranger = await newCaller(service);
      const { data } = await replies.documents(
        await stranger.get("/api/documents"),
      );
      expect(data).to.deep.equal([]);
      for (const id of [
        ids[0],
        "doc_none",
        "01a1fe23-1721-7614-9a56-8080331f0d9e",
      ]) {
        const response = await stranger.get(`/api/documents/${id}`);
        expect(response.status).to.equal(404);
        expect(await readError(response)).to.contain("no such document");
      }
    });
  });
});
