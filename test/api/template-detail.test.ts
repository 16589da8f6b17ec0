import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  readError,
  newCaller,
  type TestCaller,
  replies,
} from "../support/caller.js";
import { useService } from "../support/service.js";
import { definition, publish } from "../support/store.js";

describe("GET /api/templates/:templateId", () => {
  const service = useService();
  let caller: TestCaller;
  let id: string;

  before(async () => {
    caller = await newCaller(service);
    id = await publish(service.store, caller, { description: "Short" });
  });

  it("returns a sample of 150,000 fields", async () => {
    const fields = Array.from({ length: 150_000 }, (_, n) => [`f${n}`, 1]);
    const sample = Object.fromEntries(fields);
    const wide = await publish(service.store, caller, {
      definition: { ...definition, sample },
    });
    const template = await replies.template(
      await caller.get(`/api/templates/${wide}`),
    );
    expect(template.definition.sample).to.deep.equal(sample);
  });

  it("returns exactly these fields", async () => {
    const template = await replies.template(
      await caller.get(`/api/templates/${id}`),
    );
    expect(Object.keys(template)).to.have.members([
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
      "createdById",
      "trashedById",
      "definition",
      "isFavorite",
      "isTrashed",
      "trashedAt",
      "version",
    ]);
    expect(template).to.include({
      id,
      organizationId: caller.organizationId,
      name: "Letter",
      description: "Short",
      folderId: null,
      dataSource: null,
      templateType: "document",
      isActive: true,
      isFavorite: false,
      isTrashed: false,
      trashedAt: null,
      trashedById: null,
      version: 1,
      createdById: caller.userId,
    });
    expect(template.definition.schema).to.deep.equal(definition.schema);
    expect(template.definition.components).to.be.an("array");
  });

  it("returns only id and type with typeOnly", async () => {
    const response = await caller.get(`/api/templates/${id}?typeOnly=true`);
    expect(await response.json()).to.deep.equal({
      id,
      templateType: "document",
    });
    const whole = await caller.get(`/api/templates/${id}?typeOnly=false`);
    expect(await whole.json()).to.have.property("definition");
  });

  for (const query of ["typeOnly=1", "typeOnly=", "typeonly=true"])
    it(`rejects ?${query}`, async () => {
      const response = await caller.get(`/api/templates/${id}?${query}`);
      expect(response.status).to.equal(400);
    });

  for (const path of [
    "",
    "/versions",
    "/ver_01a1fe23-1721-7614-9a56-8080331f0d9e",
  ])
    it(`returns 404 for another organization's template${path && ` at ${path.slice(0, 9)}`} and for an invalid UUID`, async () => {
      const stranger = await newCaller(service);
      const missingId = "01a1fe23-1721-7614-9a56-8080331f0d9e";
      for (const one of [
        id,
        missingId,
        "no-uuid",
        `${id}0`,
        "%00",
        "..%2f..%2fx",
      ]) {
        const response = await stranger.get(`/api/templates/${one}${path}`);
        expect(response.status, one).to.equal(404);
        expect(await readError(response)).to.contain("no such template");
      }
    });
});
