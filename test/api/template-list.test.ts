import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  readError,
  newCaller,
  type TestCaller,
  replies,
} from "../support/caller.js";
import { useService } from "../support/service.js";
import { eachDatabase, publish } from "../support/store.js";

eachDatabase((_open, database) => {
  describe("GET /api/templates", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let ids: Record<string, string>;
    const list = async (query = "") =>
      replies.templates(await caller.get(`/api/templates${query}`));
    const names = async (query: string) =>
      (await list(query)).data.map(({ name }) => name);

    before(async () => {
      caller = await newCaller(service);
      ids = {};
      for (const name of [
        "Invoice",
        "Quote",
        "Rechnung ÄÖ 100%",
        "Final invoice",
      ])
        ids[name] = await publish(service.store, caller, { name });
      await publish(service.store, await newCaller(service), {
        name: "Foreign",
      });
    });

    it("lists the organization's templates with exactly these fields", async () => {
      const { data, pagination } = await list();
      expect(pagination).to.deep.equal({ page: 1, pageSize: 100, total: 4 });
      expect(Object.keys(data[0] ?? {})).to.have.members([
        "id",
        "organizationId",
        "folderId",
        "name",
        "description",
        "dataSource",
        "templateType",
        "thumbnailUrl",
        "isActive",
        "createdAt",
        "updatedAt",
        "createdBy",
      ]);
      expect(Object.keys(data[0]?.createdBy ?? {})).to.have.members([
        "id",
        "name",
        "email",
        "image",
      ]);
    });

    it("sorts by creation, or by last change on request, newest first", async () => {
      const newest = ["Final invoice", "Rechnung ÄÖ 100%", "Quote", "Invoice"];
      expect(await names("")).to.deep.equal(newest);
      await caller.patch(`/api/templates/${ids.Quote}`, { isFavorite: true });
      expect(await names("?recentlyUpdated=true")).to.deep.equal([
        "Quote",
        "Final invoice",
        "Rechnung ÄÖ 100%",
        "Invoice",
      ]);
      expect(await names("?recentlyUpdated=false")).to.deep.equal(newest);
    });

    it("searches names literally and case-insensitively", async () => {
      expect(await names("?q=INVOICE")).to.have.members([
        "Invoice",
        "Final invoice",
      ]);
      expect(await names("?q=%C3%A4%C3%B6")).to.deep.equal([
        "Rechnung ÄÖ 100%",
      ]);
      expect(await names("?q=0%25")).to.deep.equal(["Rechnung ÄÖ 100%"]);
      expect(await names("?q=_")).to.deep.equal([]);
      expect(await names("?q=")).to.have.length(4);
    });

    it("returns one page at a time and ignores page without pageSize", async () => {
      const second = await list("?page=2&pageSize=3");
      expect(second.data).to.have.length(1);
      expect(second.pagination).to.deep.equal({
        page: 2,
        pageSize: 3,
        total: 4,
      });
      expect((await list("?page=9&pageSize=3")).data).to.deep.equal([]);
      expect((await list("?pageSize=2")).data).to.have.length(2);
      expect((await list("?page=3")).pagination.page).to.equal(1);
      expect((await list("?page=3")).data).to.have.length(4);
    });

    for (const query of [
      "pageSize=0",
      "pageSize=101",
      "pageSize=abc",
      "pageSize=",
      "pageSize=1.5",
      "pageSize=-1",
      "pageSize=1e1",
      "pageSize=%201",
      "page=0",
      "page=x",
      "recentlyUpdated=yes",
      "recentlyUpdated=",
      "pagesize=5",
      "pageSize=1&pageSize=2",
      "__proto__=1",
    ])
      it(`rejects ?${query} and names it`, async () => {
        const response = await caller.get(`/api/templates?${query}`);
        expect(response.status).to.equal(400);
        expect(await readError(response)).to.contain(query.split("=")[0]);
      });
  });
});
