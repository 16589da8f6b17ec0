import { expect } from "chai";
import { before, describe, it } from "mocha";
import { operator, Users } from "../../../core/accounts/index.js";
import { readError } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { newOwner, publish } from "../../support/store.js";
import { newPerson, signInAs, type TestVisitor } from "../../support/studio.js";

describe("a request with its page's user and organization", () => {
  const service = useService();
  let visitor: TestVisitor;
  let templateId: string;
  let elsewhere: string;
  before(async () => {
    const person = await newPerson(service);
    const other = await newOwner(service.store);
    elsewhere = other.organizationId;
    const asOwner = {
      name: "Ada",
      email: person.email,
      role: "owner",
    } as const;
    await new Users(service.store).create(elsewhere, asOwner, operator);
    visitor = await signInAs(service, person);
    templateId = await publish(service.store, visitor);
  });
  const ask = (owner: string, method: string, path: string, body?: object) =>
    fetch(service.url + path, {
      method,
      headers: {
        cookie: visitor.cookie,
        "content-type": "application/json",
        "x-platen-app": "studio",
        "x-platen-visitor": owner,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const all = (owner: string) =>
    Promise.all([
      ask(owner, "PATCH", `/api/templates/${templateId}`, { name: "New" }),
      ask(owner, "GET", "/api/templates"),
      ask(owner, "GET", `/studio/api/drafts/${templateId}`),
      ask(owner, "GET", "/studio/api/me"),
      ask(owner, "POST", "/studio/api/people", {}),
    ]);

  it("is accepted when the page belongs to the signed-in user", async () => {
    const { userId, organizationId } = visitor;
    const owner = `${userId}/${organizationId}`;
    const statuses = (await all(owner)).map(({ status }) => status);
    expect(statuses).to.deep.equal([200, 200, 200, 200, 400]);
  });

  it("is rejected from a page of another user or organization", async () => {
    const { userId, organizationId } = visitor;
    const { userId: strangerId } = await newOwner(service.store);
    for (const owner of [
      `${strangerId}/${organizationId}`,
      `${userId}/${elsewhere}`,
      userId,
      "nobody",
    ])
      for (const response of await all(owner)) {
        expect(response.status, owner).to.equal(412);
        expect(await readError(response)).to.contain("in another tab");
      }
  });

  it("changes nothing after switching to another organization", async () => {
    const { userId, organizationId } = visitor;
    const here = `${userId}/${organizationId}`;
    const there = { organizationId: elsewhere };
    await visitor.send("POST", "/studio/api/me/organization", there);
    const name = { name: "From the old page" };
    const created = await ask(here, "POST", "/api/folders", {
      ...name,
      kind: "template",
    });
    expect(created.status).to.equal(412);
    const folders = await visitor.get("/api/folders?kind=template");
    expect(await folders.text()).to.not.contain(name.name);
  });
});
