import { expect } from "chai";
import { before, describe, it } from "mocha";
import { templateWithWarningsSchema } from "../../core/api/routes/templates.js";
import {
  readError,
  newCaller,
  type TestCaller,
  reader,
  replies,
} from "../support/caller.js";
import { useService } from "../support/service.js";
import { definition, publish } from "../support/store.js";

const made = reader(templateWithWarningsSchema);

describe("templates over REST", () => {
  const service = useService();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });
  const read = async (id: string) =>
    replies.template(await caller.get(`/api/templates/${id}`));

  it("can be nested as deeply as a definition allows", async () => {
    let inner: object = { type: "text", text: "Deep" };
    for (let depth = 1; depth < 64; depth += 1)
      inner = { type: "container", components: [inner] };
    const deep = { schema: [{ id: "root", fields: [] }], components: [inner] };
    const { id } = await made(
      await caller.post("/api/templates", { name: "Deep", definition: deep }),
      201,
    );
    expect((await read(id)).definition["components"]).to.have.length(1);
  });

  it("are created from a definition, a blueprint or another template", async () => {
    const first = await made(
      await caller.post("/api/templates", { name: "A", definition }),
      201,
    );
    expect(first).to.include({ name: "A", version: 1 });
    const blueprint = { name: "B", blueprint: "invoice", format: "Legal" };
    const second = await made(
      await caller.post("/api/templates", blueprint),
      201,
    );
    expect((await read(second.id)).definition["page"]).to.include({
      size: "Legal",
    });
    const clone = { name: "C", cloneTemplateId: first.id };
    const third = await made(await caller.post("/api/templates", clone), 201);
    expect((await read(third.id)).definition).to.deep.equal(
      (await read(first.id)).definition,
    );
  });

  it("are rejected with every problem and its path", async () => {
    const components = [{ type: "txt" }, { type: "text", text: 5 }];
    const faulty = { name: "F", definition: { schema: [], components } };
    const response = await caller.post("/api/templates", faulty);
    expect(response.status).to.equal(400);
    expect(await readError(response))
      .to.contain("$.components[0].type")
      .and.contain("$.components[1].text");
  });

  it("are moved to the trash, restored and duplicated", async () => {
    const id = await publish(service.store, caller, { name: "T" });
    const trashed = await caller.delete(`/api/templates/${id}`);
    expect(await replies.templateSettings(trashed)).to.include({
      isTrashed: true,
    });
    const render = { templateId: id, formats: ["html"] };
    expect((await caller.post("/api/export", render)).status).to.equal(400);
    await caller.post(`/api/templates/${id}/restore`, {});
    expect((await caller.post("/api/export", render)).status).to.equal(200);
    const copy = await caller.post(`/api/templates/${id}/duplicate`, {});
    expect(await replies.templateSettings(copy, 201)).to.include({
      name: "T (copy)",
    });
  });

  it("are treated as missing for other organizations", async () => {
    const other = await newCaller(service);
    const id = await publish(service.store, other);
    const path = `/api/templates/${id}`;
    for (const response of [
      await caller.delete(path),
      await caller.post(`${path}/restore`, {}),
      await caller.post(`${path}/duplicate`, {}),
      await caller.post("/api/templates", { name: "C", cloneTemplateId: id }),
    ])
      expect(response.status).to.equal(404);
  });
});
