import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { readError, reader } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import { newVisitor } from "../support/studio.js";

const readLog = reader(
  z.object({
    data: z.array(
      z.object({
        action: z.string(),
        origin: z.string(),
        person: z.object({ id: z.string(), name: z.string() }).nullable(),
        subject: z.object({
          id: z.string().nullable(),
          name: z.string().nullable(),
        }),
      }),
    ),
    total: z.int(),
  }),
);
const readKeys = reader(
  z.object({ keys: z.array(z.object({ id: z.string(), name: z.string() })) }),
);
const readKey = reader(z.looseObject({}));

describe("the studio's routes", () => {
  const service = useService();

  const table = "/studio/api/wizard/table?connectionId=1&tableId=1";
  for (const [method, path, role, status] of [
    ["GET", "/studio/api/audit", "owner", 200],
    ["GET", "/studio/api/plugins", "owner", 200],
    ["GET", "/studio/api/keys", "owner", 200],
    ["GET", "/studio/api/people", "owner", 200],
    ["POST", "/api/connections", "owner", 400],
    ["POST", "/api/webhooks", "owner", 400],
    ["GET", table, "editor", 404],
    ["POST", "/api/batches/unknown/retry", "editor", 404],
  ] as const)
    it(`answer ${method} ${path} from the role ${role} on, and say what others lack`, async () => {
      const body = method === "POST" ? {} : undefined;
      const [below, missing] =
        role === "owner"
          ? ["editor" as const, /role owner|:write/]
          : ["viewer" as const, /role editor|:write/];
      const lesser = await newVisitor(service, below);
      const refused = await lesser.send(method, path, body);
      expect(refused.status).to.equal(400);
      expect(await readError(refused)).to.match(missing);
      const visitor = await newVisitor(service, role);
      const answer = await visitor.send(method, path, body);
      expect(answer.status).to.equal(status);
      if (status !== 200) expect(await readError(answer)).to.not.match(missing);
    });

  it("show and revoke the keys of an owner's own organization only", async () => {
    const owner = await newVisitor(service);
    const stranger = await newVisitor(service);
    const order = { name: "Shop", scopes: ["templates:read"] };
    for (const one of [owner, stranger])
      await readKey(await one.post("/studio/api/keys", order), 201);
    const list = async (one: typeof owner) =>
      (await readKeys(await one.get("/studio/api/keys"))).keys;
    const [key] = await list(owner);
    const [foreign] = await list(stranger);
    expect(await list(owner)).to.have.length(1);
    expect(foreign?.id).to.not.equal(key?.id);
    const revoke = async (id = "") =>
      (await owner.delete(`/studio/api/keys/${id}`)).status;
    expect(await revoke(foreign?.id)).to.equal(404);
    expect(await list(stranger)).to.deep.equal([foreign]);
    expect(await revoke(key?.id)).to.equal(200);
  });

  it("name each invalid field of a new key", async () => {
    const owner = await newVisitor(service);
    for (const [order, words] of [
      [{ scopes: ["templates:read"] }, "$.name"],
      [{ name: "Shop", scopes: ["template:read"] }, "templates:read"],
      [{ name: "Shop", scopes: [] }, "at least one scope"],
      [{ name: "Shop", scopes: ["templates:read"], expiresAt: "x" }, "2030"],
    ] as const) {
      const response = await owner.post("/studio/api/keys", order);
      expect(response.status).to.equal(400);
      expect(await response.text()).to.include(words);
    }
  });

  it("filter the audit log by action, person and time, for one organization", async () => {
    const owner = await newVisitor(service);
    const other = await newVisitor(service);
    const templateId = await publish(service.store, owner, { name: "Quote" });
    await owner.delete(`/api/templates/${templateId}`);
    const find = async (query: string) => {
      const response = await owner.get(`/studio/api/audit?${query}`);
      return (await readLog(response)).data.map(({ action }) => action);
    };
    const later = new Date(Date.now() + 60_000).toISOString();
    expect((await find(""))[0]).to.equal("template.trashed");
    for (const [query, count] of [
      ["action=template.trashed", 1],
      [`until=${later}&action=template.trashed`, 1],
      [`userId=${other.userId}`, 0],
      [`from=${later}`, 0],
    ] as const)
      expect(await find(query), query).to.have.length(count);
    const theirs = await readLog(await other.get("/studio/api/audit"));
    expect(JSON.stringify(theirs)).to.not.include("Quote");
  });
});
