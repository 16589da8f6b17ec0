import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  changedSettingsSchema,
  changedTemplateSchema,
} from "../../core/api/routes/templates.js";
import {
  readError,
  newCaller,
  type TestCaller,
  reader,
  replies,
} from "../support/caller.js";
import { fetchBatch, newBatchCaller, sendBatch } from "../support/batches.js";
import { useService } from "../support/service.js";
import { definition, publish } from "../support/store.js";

const made = reader(changedTemplateSchema);
const patched = reader(changedSettingsSchema);
const components = [{ id: "a", type: "text", text: "Other" }];
const other = { ...definition, components };

describe("PUT /api/templates/:templateId/definition", () => {
  const service = useService();
  let caller: TestCaller;
  let path: string;
  before(async () => {
    caller = await newCaller(service);
    path = `/api/templates/${await publish(service.store, caller)}`;
  });
  const put = (body: object) => caller.put(`${path}/definition`, body);
  const read = async () => replies.template(await caller.get(path));

  it("replaces the definition and creates a version on request", async () => {
    const body = { definition: other, createVersion: true, versionNote: "N" };
    expect(await made(await put(body))).to.include({ version: 2 });
    expect((await read()).definition).to.deep.equal(other);
  });

  it("says that batches still use the newest version until the definition is one", async () => {
    const { version } = await read();
    const text = { id: "a", type: "text", text: "Newer" };
    const newer = { ...definition, components: [text] };
    const answer = await made(await put({ definition: newer }));
    expect(answer).to.include({ version, batchVersion: version });
    expect(answer.notice).to.contain(`batches still use version ${version}`);
    const renamed = await patched(await caller.patch(path, { name: "New" }));
    expect(renamed).to.include({ batchVersion: version });
    const kept = await patched(
      await caller.patch(path, { createVersion: true }),
    );
    expect(kept).to.include({ version: version + 1 });
    expect(kept).to.not.have.any.keys("batchVersion", "notice");
    const again = await made(await put({ definition: newer }));
    expect(again).to.not.have.any.keys("batchVersion", "notice");
    await made(await put({ definition: other, createVersion: true }));
  });

  it("returns the version that a batch then renders", async () => {
    const organization = await newBatchCaller(service);
    const templateId = await publish(service.store, organization);
    const text = { id: "a", type: "text", text: "Newer" };
    const { batchVersion } = await made(
      await organization.put(`/api/templates/${templateId}/definition`, {
        definition: { ...definition, components: [text] },
      }),
    );
    const body = { templateId, formats: ["html"], items: [{}] };
    const { batchId } = await sendBatch(organization, body);
    const batch = await fetchBatch(organization, batchId);
    expect(batch.templateVersion).to.equal(batchVersion);
  });

  it("returns 409 and changes nothing when the template changed since it was read", async () => {
    const { updatedAt: expectedVersion } = await read();
    await caller.patch(path, { name: "By another" });
    const late = await put({ definition, expectedVersion });
    expect(late.status).to.equal(409);
    expect(await readError(late)).to.contain((await read()).updatedAt);
    expect((await read()).definition).to.deep.equal(other);
  });

  it("reports a single problem as its path, message and hint, and nothing twice", async () => {
    const text = "{{ root.total | curency }}";
    const wrong = { ...definition, components: [{ type: "text", text }] };
    expect(await readError(await put({ definition: wrong }))).to.equal(
      '$.components[0].text: Unknown filter "curency". Did you mean currency?',
    );
  });

  it("reports several problems as a count and a list, each once", async () => {
    const wrong = {
      ...definition,
      components: [
        { type: "text", text: "a", style: { colour: "red" } },
        { type: "text", text: "{{ root.total | curency }}" },
      ],
    };
    expect(await readError(await put({ definition: wrong }))).to.equal(
      'The template has 2 problems. $.components[0].style.colour: Unknown property "colour". Did you mean "color"?; ' +
        '$.components[1].text: Unknown filter "curency". Did you mean currency?',
    );
  });

  it("is named when PATCH is sent a definition", async () => {
    const error = await readError(await caller.patch(path, { definition }));
    expect(error).to.include("$.definition: unknown field.");
    expect(error).to.include("PUT /api/templates/{templateId}/definition");
    expect(error.match(/unknown field/g)).to.have.length(1);
  });

  it("rejects an invalid definition and a missing one", async () => {
    for (const body of [{}, { definition: { schema: [] } }])
      expect((await put(body)).status).to.equal(400);
    expect((await read()).definition).to.deep.equal(other);
  });
});
