import { expect } from "chai";
import sharp from "sharp";
import { z } from "zod";
import { RecentPayloads } from "../../../core/documents/index.js";
import {
  Organization,
  RecentPayload,
} from "../../../core/storage/database/index.js";
import { blueprintIds } from "../../../core/templates/index.js";
import { greatVibes } from "../../support/assets.js";
import { listActs } from "../../support/audit.js";
import { reader, refusal } from "../../support/caller.js";
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

  const tooLong = definitionWithText("x".repeat(2 * 1024 * 1024));
  it("is not saved when it is over 2 MiB", async () => {
    const good = createChange(await drafts.open(), "good");
    const answer = await drafts.save({ ...good, definition: tooLong });
    expect(await refusal(answer)).to.equal(
      "413 The draft is larger than 2097152 bytes. Remove large texts or samples from it.",
    );
    expect((await drafts.save(good)).status).to.equal(200);
  });

  it("is discarded with an entry in the audit log", async () => {
    const { revision } = await save("draft");
    const { path, visitor, templateId } = drafts;
    await visitor.send("DELETE", `${path}?expectedRevision=${revision}`);
    const { userId, organizationId } = visitor;
    const acts = await listActs(service, organizationId, templateId);
    const discarded = acts.filter(
      ({ action }) => action === "template.draft_discarded",
    );
    expect(discarded.map(({ person }) => person?.id)).to.deep.equal([userId]);
  });
});

const trigger =
  "CREATE TRIGGER trap BEFORE UPDATE OF definition ON template_draft " +
  "WHEN NEW.definition IS NULL BEGIN SELECT RAISE(ABORT, 'gone'); END";

describe("publishing a draft", () => {
  const service = useService();
  let drafts: DraftClient;
  beforeEach(async () => {
    drafts = await newDraftClient(service);
  });
  const save = async (text: string) => {
    const answer = await drafts.save(createChange(await drafts.open(), text));
    return (await draftReplies.saved(answer)).revision;
  };
  const publishDraft = async (expectedRevision: number, more: object = {}) =>
    draftReplies.view(await drafts.publish({ expectedRevision, ...more }));

  it("limits a version's note as the public API does", async () => {
    const expectedRevision = await save("noted");
    const publishWithNote = (length: number) =>
      drafts.publish({
        expectedRevision,
        createVersion: true,
        versionNote: "n".repeat(length),
      });
    const answer = await publishWithNote(10_001);
    expect(await refusal(answer)).to.equal(
      "400 Invalid request body. $.versionNote: must be at most 10000 characters long.",
    );
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

  it("exclude large records", async () => {
    const templateId = await publish(service.store, drafts.visitor);
    await render({ name: "x".repeat(300_000) }, templateId);
    expect(await payloads(templateId)).to.deep.equal([]);
  });

  it("are deleted after their retention", async () => {
    await render({ name: "Ada" });
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

const readDesign = reader(
  z.looseObject({
    fontFamilies: z.array(z.string()),
    fontAliases: z.record(z.string(), z.string()),
    fonts: z.array(
      z.object({
        family: z.string(),
        source: z.object({ file: z.string().optional() }),
      }),
    ),
  }),
);

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

  it("contains the fonts that documents are printed with", async () => {
    const design = await readDesign(await get("design"));
    const { fonts, fontAliases, fontFamilies } = design;
    expect(fontAliases).to.include({ serif: "Source Serif 4", Arial: "Arimo" });
    expect(fontFamilies).to.include.members(Object.values(fontAliases));
    const script = fonts.find(({ family }) => family === "Great Vibes");
    const font = await get(`fonts/${script?.source.file}`);
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
