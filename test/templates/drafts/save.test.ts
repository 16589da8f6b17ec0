import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import { AuditEvent } from "../../../core/storage/database/index.js";
import { readError } from "../../support/caller.js";
import {
  createChange,
  type DraftClient,
  draftReplies,
  newDraftClient,
  definitionWithText,
} from "../../support/draft-client.js";
import { useService } from "../../support/service.js";
import { eachDatabase } from "../../support/store.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

eachDatabase((_open, database) => {
  describe("drafts of templates that are changed at the same time", () => {
    const service = useService({ config: { database } });

    it("accept one of several concurrent saves and reject the others", async () => {
      const drafts = await newDraftClient(service);
      for (const texts of [
        ["first one", "first two", "first three"],
        ["one", "two", "three"],
      ]) {
        const seen = await drafts.open();
        const answers = await Promise.all(
          texts.map((text) => drafts.save(createChange(seen, text))),
        );
        const winners = texts.filter((_, at) => answers[at]?.status === 200);
        expect(answers.map(({ status }) => status)).to.have.members([
          200, 409, 409,
        ]);
        const now = await drafts.open();
        expect(now.definition).to.deep.equal(
          definitionWithText(winners[0] ?? ""),
        );
        expect(now.revision).to.equal(seen.revision + 1);
      }
    });

    it("accept one of two concurrent publications", async () => {
      const drafts = await newDraftClient(service);
      const change = createChange(await drafts.open(), "twice");
      const saved = await draftReplies.saved(await drafts.save(change));
      const body = { expectedRevision: saved.revision, createVersion: true };
      const both = await Promise.all([
        drafts.publish(body),
        drafts.publish(body),
      ]);
      const statuses = both.map(({ status }) => status);
      expect(statuses).to.have.members([200, 409]);
      const { published, definition } = await drafts.open();
      expect(published.version).to.equal(2);
      expect(definition).to.deep.equal(definitionWithText("twice"));
    });
  });
});

describe("a template's draft", () => {
  const service = useService();
  let drafts: DraftClient;
  beforeEach(async () => {
    drafts = await newDraftClient(service);
  });
  const save = async (text: string) => {
    const answer = await drafts.save(createChange(await drafts.open(), text));
    return draftReplies.saved(answer);
  };

  it("starts as the published definition", async () => {
    const { definition, ...view } = await drafts.open();
    expect(view).to.include({ revision: 0, savedAt: null, isChanged: false });
    expect(definition).to.deep.equal(view.base.definition);
    expect(view.published.hash).to.equal(view.base.hash);
  });

  it("is stored as it was saved, including problems, which the response lists, and publishes nothing", async () => {
    const seen = await drafts.open();
    const definition = { ...definitionWithText("{{ root. }}"), page: "odd" };
    const change = { ...createChange(seen, ""), definition };
    const saved = await draftReplies.saved(await drafts.save(change));
    expect(saved.revision).to.equal(1);
    const paths = saved.facts.problems.map(({ path }) => path);
    expect(paths).to.have.members(["$.components[0].text", "$.page"]);
    const now = await drafts.open();
    expect(now.definition).to.deep.equal(definition);
    expect(now).to.include({ isChanged: true, savedBy: "Ada" });
    expect(now.published).to.deep.equal(seen.published);
  });

  it("is unchanged when only the order of properties differs", async () => {
    const seen = await drafts.open();
    const turned = Object.entries(seen.definition).toReversed();
    const definition = Object.fromEntries(turned);
    await drafts.save({ ...createChange(seen, ""), definition });
    expect((await drafts.open()).isChanged).to.equal(false);
  });

  it("is not saved when somebody else saved first", async () => {
    const seen = await drafts.open();
    await save("first");
    const late = await drafts.save(createChange(seen, "late"));
    expect(late.status).to.equal(409);
    expect(await readError(late)).to.contain("Somebody else has changed");
  });

  it("is not saved by a late save of the draft before it, however many saves that one had", async () => {
    await save("first draft");
    const slow = createChange(await drafts.open(), "from the first draft");
    await drafts.publish({ expectedRevision: slow.expectedRevision });
    for (const text of ["second draft", "a word more"]) {
      await save(text);
      const late = { ...slow, base: (await drafts.open()).base.hash };
      expect((await drafts.save(late)).status).to.equal(409);
    }
  });

  const tooLong = definitionWithText("x".repeat(2 * 1024 * 1024));
  for (const [reason, changes, status, message] of [
    [
      "it is not a definition",
      [undefined, null, 3, [], {}, { schema: [] }].map((definition) => ({
        definition,
      })),
      400,
      "$.definition",
    ],
    ["it is over 2 MiB", [{ definition: tooLong }], 413, "2097152"],
    [
      "it does not name the revision that it is based on",
      [undefined, null, "one", -1, 0.5].map((expectedRevision) => ({
        expectedRevision,
      })),
      400,
      "expectedRevision: must be",
    ],
    ["it names no base", [{ base: undefined }], 400, "$.base"],
    ["it names another base", [{ base: "0" }], 409, "published again"],
  ] as const)
    it(`is not saved when ${reason}`, async () => {
      const good = createChange(await drafts.open(), "good");
      for (const change of changes) {
        const answer = await drafts.save({ ...good, ...change });
        expect(answer.status).to.equal(status);
        expect(await readError(answer)).to.contain(message);
      }
      expect((await drafts.save(good)).status).to.equal(200);
    });

  it("is discarded unless somebody else has saved since, which the audit log records", async () => {
    const { revision } = await save("draft");
    const { path, visitor, templateId } = drafts;
    const discard = (expected: number) =>
      visitor.send("DELETE", `${path}?expectedRevision=${expected}`);
    expect((await discard(revision - 1)).status).to.equal(409);
    const { base, savedAt } = await drafts.open();
    expect(savedAt).to.be.a("string");
    const view = await draftReplies.view(await discard(revision));
    expect(view).to.include({ savedAt: null, isChanged: false });
    expect(view.definition).to.deep.equal(base.definition);
    const { userId, organizationId } = visitor;
    const notes = await service.store.read.findBy(AuditEvent, {
      organizationId,
      action: "template.draft_discarded",
    });
    expect(notes).to.have.length(1);
    expect(notes[0]).to.include({ userId, subject: templateId });
  });
});

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
    const { definition, revision: expectedRevision } = seen;
    const check = { templateId, definition };
    const answers = [
      await visitor.get(path),
      await visitor.get(`${path}/revision`),
      await visitor.send("POST", "/studio/api/drafts/check", check),
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
    expect(await getStatuses(viewer)).to.deep.equal([
      200, 200, 200, 400, 400, 400, 400,
    ]);
  });

  it("is denied without a session", async () => {
    const response = await fetch(service.url + drafts.path);
    expect(response.status).to.equal(401);
  });
});
