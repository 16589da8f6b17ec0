import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import sharp from "sharp";
import { z } from "zod";
import { RecentPayloads } from "../../../core/documents/index.js";
import {
  AuditEvent,
  Organization,
  RecentPayload,
} from "../../../core/storage/database/index.js";
import { blueprintIds } from "../../../core/templates/index.js";
import { greatVibes } from "../../support/assets.js";
import { readError, replies, reader } from "../../support/caller.js";
import {
  createChange,
  type DraftClient,
  draftReplies,
  newDraftClient,
  definitionWithText,
} from "../../support/draft-client.js";
import { useService } from "../../support/service.js";
import { eachDatabase, newOwner, publish } from "../../support/store.js";
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

const trigger =
  "CREATE TRIGGER trap BEFORE UPDATE OF definition ON template_draft " +
  "WHEN NEW.definition IS NULL BEGIN SELECT RAISE(ABORT, 'gone'); END";

describe("publishing a draft", () => {
  const service = useService();
  let drafts: DraftClient;
  let template = "";
  beforeEach(async () => {
    drafts = await newDraftClient(service);
    template = `/api/templates/${drafts.templateId}`;
  });
  const save = async (text: string) => {
    const answer = await drafts.save(createChange(await drafts.open(), text));
    return (await draftReplies.saved(answer)).revision;
  };
  const publishDraft = async (expectedRevision: number, more: object = {}) =>
    draftReplies.view(await drafts.publish({ expectedRevision, ...more }));
  const redefine = async (text: string) => {
    const body = { definition: definitionWithText(text) };
    const path = `${template}/definition`;
    const response = await drafts.visitor.send("PUT", path, body);
    expect(response.status).to.equal(200);
  };

  it("makes it the template's definition and deletes the draft", async () => {
    const version = { createVersion: true, versionNote: "N" };
    const view = await publishDraft(await save("new"), version);
    expect(view).to.include({ savedAt: null, isChanged: false });
    expect(view.base).to.include({ version: 2 });
    const published = await drafts.visitor.get(template);
    const { definition } = await replies.template(published);
    expect(definition).to.deep.equal(definitionWithText("new"));
  });

  it("creates a version of the published definition when there is no draft", async () => {
    const { revision } = await publishDraft(await save("done"));
    const view = await publishDraft(revision, { createVersion: true });
    expect(view.published.version).to.equal(2);
    expect(view.definition).to.deep.equal(definitionWithText("done"));
  });

  it("is rejected for a draft with problems and for one that somebody else has saved since, and changes nothing", async () => {
    const { published } = await drafts.open();
    const first = await save("{{ root. }}");
    const broken = await drafts.publish({ expectedRevision: first });
    expect(broken.status).to.equal(400);
    expect(await readError(broken)).to.contain("$.components[0].text");
    const mine = await save("mine");
    await save("another's");
    const late = await drafts.publish({ expectedRevision: mine });
    expect(late.status).to.equal(409);
    const now = await drafts.open();
    expect(now.published).to.deep.equal(published);
    expect(now.savedAt).to.be.a("string");
  });

  it("limits a version's note as the public API does", async () => {
    const expectedRevision = await save("noted");
    const publishWithNote = (length: number) =>
      drafts.publish({
        expectedRevision,
        createVersion: true,
        versionNote: "n".repeat(length),
      });
    const answer = await publishWithNote(10_001);
    expect(answer.status).to.equal(400);
    expect(await readError(answer)).to.contain("$.versionNote");
    expect((await drafts.open()).published.version).to.equal(1);
    expect((await publishWithNote(10_000)).status).to.equal(200);
  });

  it("publishes nothing and keeps the draft when it is interrupted", async () => {
    const { unitOfWork } = service.store;
    const expectedRevision = await save("draft");
    const whole = await drafts.open();
    await unitOfWork.run((tx) => tx.query(trigger));
    const broken = await drafts.publish({ expectedRevision });
    await unitOfWork.run((tx) => tx.query("DROP TRIGGER trap"));
    expect(broken.status).to.equal(500);
    expect(await drafts.open()).to.deep.equal(whole);
    const { definition } = await publishDraft(expectedRevision);
    expect(definition).to.deep.equal(definitionWithText("draft"));
  });

  it("cannot overwrite what others published meanwhile, until the draft was merged with it", async () => {
    await save("draft");
    await redefine("theirs");
    const { definition, published, revision } = await drafts.open();
    expect(definition).to.deep.equal(definitionWithText("draft"));
    expect(published.definition).to.deep.equal(definitionWithText("theirs"));
    const refused = await drafts.publish({ expectedRevision: revision });
    expect(refused.status).to.equal(409);
    expect(await readError(refused)).to.contain("merge both");
    const both = {
      definition: definitionWithText("both"),
      expectedRevision: revision,
      base: published.hash,
    };
    const merged = await draftReplies.saved(await drafts.save(both));
    const view = await publishDraft(merged.revision);
    expect(view.definition).to.deep.equal(definitionWithText("both"));
  });

  it("cannot begin with a base that is no longer published", async () => {
    await save("draft");
    const seen = await drafts.open();
    await redefine("theirs again");
    await drafts.visitor.send(
      "DELETE",
      `${drafts.path}?expectedRevision=${seen.revision}`,
    );
    const { revision: expectedRevision } = await drafts.open();
    const late = { ...createChange(seen, "late"), expectedRevision };
    expect(await readError(await drafts.save(late))).to.contain(
      "published again",
    );
  });

  it("is not blocked by a new name or a star", async () => {
    const revision = await save("draft");
    const change = { name: "N", isFavorite: true };
    await drafts.visitor.send("PATCH", template, change);
    await publishDraft(revision);
  });
});

const problem = z.looseObject({ path: z.string(), message: z.string() });

const readFacts = reader(
  z.strictObject({
    problems: z.array(problem),
    warnings: z.array(problem),
    repeats: z.record(z.string(), z.looseObject({ total: z.number() })),
    conditions: z.record(z.string(), z.boolean()),
    values: z.record(z.string(), z.record(z.string(), z.string())),
    markup: z.record(z.string(), z.record(z.string(), z.string())),
    counts: z.record(z.string(), z.number()),
    place: z.array(z.union([z.string(), z.number()])).nullable(),
    rows: z.record(z.string(), z.array(z.looseObject({}))),
    einvoiceProblems: z.array(z.looseObject({})).nullable(),
    sampleProblems: z.array(
      z.strictObject({
        keys: z.array(z.union([z.string(), z.number()])),
        code: z.string(),
        message: z.string(),
        places: z.array(
          z.strictObject({
            component: z.string(),
            expression: z.string().nullable(),
          }),
        ),
      }),
    ),
  }),
);

const line = { collectionId: "line", path: "root.lines" };

const schema = [{ id: "root", fields: [{ name: "lines", type: "String" }] }];

const sample = { lines: [{ n: 1 }, { n: 2 }] };

describe("checking a definition", () => {
  const service = useService();
  let drafts: DraftClient;
  before(async () => {
    const components = [
      { id: "a", type: "text", text: "Line", collection: line },
    ];
    drafts = await newDraftClient(service, {
      definition: { schema, components },
    });
  });
  const check = async (body: object) => {
    const { templateId, visitor } = drafts;
    const path = "/studio/api/drafts/check";
    return readFacts(await visitor.send("POST", path, { templateId, ...body }));
  };

  it("returns its problems, its warnings, and the values of its sample", async () => {
    const components = [
      { id: "a", type: "text", text: "{{ line.n }}", collection: line },
      { id: "b", type: "text", text: "{{ root. }}", style: { colour: "red" } },
    ];
    const facts = await check({ definition: { schema, components, sample } });
    const paths = facts.problems.map(({ path }) => path);
    expect(paths).to.have.members([
      "$.components[1].text",
      "$.components[1].style.colour",
    ]);
    expect(facts.warnings).not.to.equal(undefined);
    expect(facts.values).to.deep.equal({ a: { "line.n": "1" } });
    expect(facts.repeats).to.have.property("a").that.includes({ total: 2 });
  });

  it("returns what does not fit in its sample, with the places that print it and not those that only test it", async () => {
    const rule = { field: "root.lines", operator: "notEmpty" };
    const condition = {
      combinator: "and",
      rules: [rule],
      else: [{ id: "c", type: "text", text: "{{ SUM(root.lines, n) }}" }],
    };
    const components = [
      { id: "a", type: "text", text: "{{ line.n }}", collection: line },
      { id: "b", type: "text", text: "{{ line.n | upper }}", condition },
      { id: "d", type: "text", text: "{{ 1 }} and {{ root.lines.n }}!" },
    ];
    const links = { name: "lines", type: "OneToManyLink", target: "lines" };
    const number = { name: "n", type: "Number", required: true };
    const { sampleProblems } = await check({
      definition: {
        schema: [
          { id: "root", fields: [links] },
          { id: "lines", fields: [number] },
        ],
        components,
        sample: { lines: [{ n: 1 }, {}] },
      },
    });
    expect(sampleProblems).to.have.length(1);
    expect(sampleProblems[0]).to.deep.include({
      keys: ["lines", 1, "n"],
      code: "missing_value",
    });
    expect(sampleProblems[0]?.places).to.have.deep.members([
      { component: "a", expression: "line.n" },
      { component: "c", expression: "SUM(root.lines, n)" },
      { component: "d", expression: "root.lines.n" },
    ]);
  });

  it("reports what the template may not become", async () => {
    const collection = { ...line, collectionId: "other" };
    const components = [{ id: "a", type: "text", text: "", collection }];
    const { problems } = await check({ definition: { schema, components } });
    expect(problems[0]?.message).to.contain("collectionId");
  });

  it("succeeds for any input, even one that is not a definition", async () => {
    for (const definition of [undefined, null, 7, []])
      expect((await check({ definition })).problems).not.to.deep.equal([]);
  });
});

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

const names = z.array(z.string());

const design = z.looseObject({
  pageStyle: z.string(),
  jsonSchema: z.looseObject({ title: z.string() }),
  allowedChildren: z.record(z.string(), names),
  requiredParents: z.record(z.string(), names),
  topLevel: names,
  fontFamilies: names,
  fontAliases: z.record(z.string(), z.string()),
  fonts: z.array(
    z.strictObject({
      family: z.string(),
      weight: z.string(),
      style: z.enum(["normal", "italic"]),
      source: z.union([
        z.strictObject({ file: z.string() }),
        z.strictObject({ url: z.string() }),
      ]),
    }),
  ),
  paper: z.record(z.string(), z.tuple([z.number(), z.number()])),
});

const card = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  templateType: z.string(),
  translations: z.record(
    z.enum(["de", "es", "fr"]),
    z.strictObject({ name: z.string(), description: z.string() }),
  ),
});

describe("the editor's design data", () => {
  const service = useService();
  let visitor: TestVisitor;
  before(async () => {
    visitor = await newVisitor(service, "viewer");
  });
  const get = (path: string) => visitor.get(`/studio/api/${path}`);

  it("contains the paper sizes and the placement rules", async () => {
    const facts = await reader(design)(await get("design"));
    expect(facts.paper).to.deep.include({ A4: [210, 297] });
    expect(facts.paper).to.deep.include({ Letter: [215.9, 279.4] });
    expect(facts.allowedChildren["table"]).to.deep.equal(["table-row"]);
    expect(facts.requiredParents["table-row"]).to.deep.equal(["table"]);
    expect(facts.fontFamilies[0]).to.equal("Inter");
  });

  it("contains the fonts that documents are printed with", async () => {
    const facts = await reader(design)(await get("design"));
    const { fonts, fontAliases, fontFamilies } = facts;
    expect(fontAliases).to.include({ serif: "Source Serif 4", Arial: "Arimo" });
    expect(fontFamilies).to.include.members(Object.values(fontAliases));
    const script = fonts.find(({ family }) => family === "Great Vibes");
    const file = script && "file" in script.source ? script.source.file : "";
    const font = await get(`fonts/${file}`);
    expect(font.headers.get("cache-control")).to.contain("max-age");
    const bytes = Buffer.from(await font.arrayBuffer());
    expect(bytes.equals(await greatVibes())).to.equal(true);
    for (const name of ["none.ttf", "..%2Fpackage.json"])
      expect((await get(`fonts/${name}`)).status).to.equal(404);
  });

  it("contains the blueprints with their pictures", async () => {
    const read = reader(z.strictObject({ blueprints: z.array(card) }));
    const { blueprints } = await read(await get("blueprints"));
    expect(blueprints.map(({ id }) => id)).to.have.members(blueprintIds());
    const picture = await get("blueprints/invoice/picture");
    const { format, width } = await sharp(
      await picture.arrayBuffer(),
    ).metadata();
    expect({ format, width }).to.deep.equal({ format: "webp", width: 560 });
    expect((await get("blueprints/none/picture")).status).to.equal(404);
  });
});
