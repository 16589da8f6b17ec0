import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  createChange,
  type DraftClient,
  newDraftClient,
} from "../../support/draft-client.js";
import { useService } from "../../support/service.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

describe("access to a draft", () => {
  const service = useService();
  let drafts: DraftClient;
  before(async () => {
    drafts = await newDraftClient(service);
    await drafts.save(createChange(await drafts.open(), "draft"));
  });
  const getStatuses = async (visitor: TestVisitor): Promise<number[]> => {
    const { path, templateId } = drafts;
    const seen = await drafts.open();
    const expectedRevision = seen.revision;
    const definition = seen.definition;
    const answers = [
      await visitor.get(path),
      await visitor.get(`${path}/revision`),
      await visitor.send("POST", "/studio/api/drafts/check", {
        templateId,
        definition,
      }),
      await visitor.get(`${path}/payloads`),
      await visitor.send("PUT", path, createChange(seen, "by another")),
      await visitor.send("POST", `${path}/publish`, { expectedRevision }),
      await visitor.send("DELETE", `${path}?expectedRevision=1`),
    ];
    return answers.map(({ status }) => status);
  };

  it("is denied to other organizations with a 404", async () => {
    const stranger = await newVisitor(service, "owner");
    expect(await getStatuses(stranger)).to.deep.equal(Array(7).fill(404));
  });

  it("is read-only for viewers", async () => {
    const { organizationId } = drafts.visitor;
    const viewer = await newVisitor(service, "viewer", organizationId);
    const rejected = Array<number>(4).fill(400);
    expect(await getStatuses(viewer)).to.deep.equal([
      200,
      200,
      200,
      ...rejected,
    ]);
  });

  it("is denied without a session", async () => {
    const response = await fetch(service.url + drafts.path);
    expect(response.status).to.equal(401);
  });
});
