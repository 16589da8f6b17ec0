import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import {
  brandSchema,
  changedBrandSchema,
} from "../../core/api/routes/brand.js";
import {
  newCaller,
  readError,
  reader,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { blueprintIds } from "../../core/templates/index.js";
import { draftReplies, type DraftReply } from "../support/draft-client.js";
import { useService } from "../support/service.js";
import { anyDatabase } from "../support/store.js";
import { newVisitor } from "../support/studio.js";

const brand = reader(brandSchema);
const changed = reader(changedBrandSchema);
const made = reader(z.looseObject({ id: z.string(), version: z.number() }));
const uses = reader(
  z.strictObject({
    data: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  }),
);

const kit = {
  colors: { primary: "#1446a0", text: "#131a29" },
  headingFont: null,
  bodyFont: "Source Serif 4",
  logo: null,
  textStyles: { note: { "font-size": "8pt" } },
};
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="4"><rect width="12" height="4"/></svg>';

const green = { ...kit, colors: { ...kit.colors, primary: "#0b6b50" } };

function colored(text: string, color: string) {
  const components = [{ id: "a", type: "text", text, style: { color } }];
  return { schema: [{ id: "root", fields: [] }], components };
}

function createColored({ revision, base }: DraftReply, text: string) {
  const definition = colored(text, "#1446a0");
  return { definition, expectedRevision: revision, base: base.hash };
}

function draftPath(templateId: string): string {
  return `/studio/api/drafts/${templateId}`;
}

anyDatabase((_open, database) => {
  describe("the brand kit", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    before(async () => {
      caller = await newCaller(service);
    });
    const create = async (body: object) =>
      made(await caller.post("/api/templates", body), 201);
    const refuse = async (part: object) =>
      readError(await caller.put("/api/brand", { kit: { ...kit, ...part } }));
    const read = async (id: string) =>
      replies.template(await caller.get(`/api/templates/${id}`));
    const addLogo = async (bytes = picture) => {
      const response = await fetch(`${service.url}/api/assets?name=logo.svg`, {
        method: "POST",
        headers: { "x-api-key": caller.key, "content-type": "image/svg+xml" },
        body: bytes,
      });
      return z.looseObject({ id: z.string() }).parse(await response.json()).id;
    };

    const newDraft = async () => {
      const definition = colored("first", "#1446a0");
      const { id } = await create({ name: "Drafted", definition });
      const visitor = await newVisitor(
        service,
        "editor",
        caller.organizationId,
      );
      const open = async () =>
        draftReplies.view(await visitor.get(draftPath(id)));
      return { id, visitor, open };
    };

    it("is empty at first, and leaves examples as they are", async () => {
      const empty = await brand(await caller.get("/api/brand"));
      expect(empty).to.deep.include({ version: 0, updatedAt: null });
      const { id } = await create({ name: "Plain", blueprint: "invoice" });
      expect(JSON.stringify((await read(id)).definition)).to.contain("#d8412f");
    });

    it("gives templates that are made from an example its colors, fonts, logo and text styles", async () => {
      const logo = await addLogo();
      await changed(await caller.put("/api/brand", { kit: { ...kit, logo } }));
      const { id } = await create({ name: "Branded", blueprint: "invoice" });
      const { sample: _sample, ...definition } = (await read(id)).definition;
      const text = JSON.stringify(definition);
      expect(text).to.contain("#1446a0").and.contain(`asset:${logo}`);
      expect(text).to.contain("'Source Serif 4', sans-serif");
      expect(text).to.not.match(/#d8412f|Inter|data:image/);
      expect(definition["styles"]).to.have.deep.property("note", {
        "font-size": "8pt",
      });
      const { pdf } = await replies.exported(
        await caller.post("/api/export", {
          templateId: id,
          formats: ["pdf"],
          data: (await read(id)).definition["sample"],
        }),
      );
      expect(pdf?.sizeBytes).to.be.greaterThan(1000);
    });

    it("gives the headings of every example its heading font", async () => {
      const headingFont = "Great Vibes";
      await changed(
        await caller.put("/api/brand", { kit: { ...kit, headingFont } }),
      );
      for (const id of blueprintIds()) {
        const template = await create({ name: id, blueprint: id });
        const { definition } = await read(template.id);
        const styles = z
          .record(z.string(), z.record(z.string(), z.string()))
          .parse(definition["styles"]);
        const { components } = definition;
        const names = [
          ...JSON.stringify(components).matchAll(
            /"type":"heading"[^{}]*?"class":"(\w+)|"class":"(\w+)"[^{}]*?"type":"heading"/g,
          ),
        ].map(([, first, second]) => first ?? second ?? "");
        for (const name of names)
          expect(styles[name]?.["font-family"], `${id}: ${name}`).to.match(
            /^'Great Vibes', ['\w-]/,
          );
        const isPlain = ["receipt", "shipping-label"].includes(id);
        expect(names.length > 0, id).to.equal(!isPlain);
      }
    });

    it("makes room for a wide logo in place of a square mark", async () => {
      const logo = await addLogo();
      await changed(await caller.put("/api/brand", { kit: { ...kit, logo } }));
      const { id } = await create({ name: "Wide", blueprint: "invoice" });
      const { definition } = await read(id);
      // Three times as wide as the mark of 28 px in its column of 38 px.
      expect(JSON.stringify(definition["page"])).to.match(
        new RegExp(
          `"width":"94px","components":\\[[^\\]]*asset:${logo}[^\\]]*"width":"84px"`,
        ),
      );
    });

    it("changes the old values in the templates that follow, as a new version", async () => {
      await changed(await caller.put("/api/brand", { kit }));
      const definition = {
        schema: [{ id: "root", fields: [] }],
        components: [
          {
            id: "a",
            type: "text",
            text: "#1446a0",
            class: "note",
            style: { color: "#1446A0", border: "1px solid #1446a0" },
          },
        ],
        styles: { note: { "font-size": "8pt" } },
      };
      const follows = await create({ name: "Follows", definition });
      const stays = await create({ name: "Stays", definition });
      const next = {
        ...kit,
        colors: { ...kit.colors, primary: "#0b6b50" },
        textStyles: { note: { "font-size": "9pt" } },
      };
      const { data } = await uses(
        await caller.post("/api/brand/uses", { kit: next }),
      );
      expect(data.map(({ id }) => id)).to.include.members([
        follows.id,
        stays.id,
      ]);
      const { version } = await brand(await caller.get("/api/brand"));
      const result = await changed(
        await caller.put("/api/brand", {
          kit: next,
          expectedVersion: version,
          templateIds: [follows.id, "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f"],
        }),
      );
      expect(result.templates).to.have.length(2);
      expect(result.templates[0]).to.deep.equal({
        id: follows.id,
        name: "Follows",
        error: null,
      });
      expect(result.templates[1]?.error).to.contain("no such template");
      const after = await read(follows.id);
      expect(after.version).to.equal(2);
      expect(after.definition["components"]).to.deep.equal([
        {
          ...definition.components[0],
          style: { color: "#0b6b50", border: "1px solid #0b6b50" },
        },
      ]);
      expect(after.definition["styles"]).to.deep.equal(next.textStyles);
      expect((await read(stays.id)).definition).to.deep.equal(definition);
      const late = await caller.put("/api/brand", {
        kit,
        expectedVersion: version,
      });
      expect(late.status).to.equal(409);
    });

    it("changes the old values in the drafts of the templates that follow, which keep their other changes and are based on the new version", async () => {
      await changed(await caller.put("/api/brand", { kit }));
      const { id, visitor, open } = await newDraft();
      const opened = await open();
      const change = createColored(opened, "edited");
      const saved = await visitor.send("PUT", draftPath(id), change);
      await draftReplies.saved(saved);
      await changed(
        await caller.put("/api/brand", { kit: green, templateIds: [id] }),
      );
      const draft = await open();
      expect(draft.definition).to.deep.equal(colored("edited", "#0b6b50"));
      const published = await read(id);
      expect(published.version).to.equal(2);
      expect(published.definition).to.deep.equal(colored("first", "#0b6b50"));
      expect(draft.base.definition).to.deep.equal(published.definition);
      expect(draft.base.hash).to.equal(draft.published.hash);
      expect(draft.isChanged).to.equal(true);
      const late = createColored(opened, "late");
      const refused = await visitor.send("PUT", draftPath(id), {
        ...late,
        expectedRevision: opened.revision + 1,
      });
      expect(refused.status).to.equal(409);
      const publication = {
        expectedRevision: draft.revision,
        createVersion: true,
        versionNote: null,
      };
      const path = `${draftPath(id)}/publish`;
      expect((await visitor.send("POST", path, publication)).status).to.equal(
        200,
      );
      expect((await read(id)).definition).to.deep.equal(
        colored("edited", "#0b6b50"),
      );
    });

    it("loses no change of a draft that is saved at the same moment", async () => {
      await changed(await caller.put("/api/brand", { kit }));
      const { id, visitor, open } = await newDraft();
      const opened = await open();
      await draftReplies.saved(
        await visitor.send("PUT", draftPath(id), createColored(opened, "one")),
      );
      const change = createColored(await open(), "two");
      const [saved] = await Promise.all([
        visitor.send("PUT", draftPath(id), change),
        caller
          .put("/api/brand", { kit: green, templateIds: [id] })
          .then((answer) => changed(answer)),
      ]);
      const kept = saved.status === 200 ? "two" : "one";
      expect(saved.status).to.be.oneOf([200, 409]);
      expect((await open()).definition).to.deep.equal(colored(kept, "#0b6b50"));
    });

    it("keeps its logo from being deleted permanently", async () => {
      const logo = await addLogo(picture.replaceAll("12", "16"));
      await changed(await caller.put("/api/brand", { kit: { ...kit, logo } }));
      const path = `/api/assets/${logo}`;
      expect((await caller.delete(path)).status).to.equal(200);
      const refused = await caller.delete(`${path}?permanently=true`);
      expect(refused.status).to.equal(409);
      expect(await readError(refused)).to.contain("The brand kit");
      await changed(await caller.put("/api/brand", { kit }));
      const deleted = await caller.delete(`${path}?permanently=true`);
      expect(deleted.status).to.equal(200);
    });

    it("refuses colors, fonts, styles and logos that no template could use", async () => {
      expect(await refuse({ colors: { primary: "red" } })).to.contain(
        "$.kit.colors",
      );
      expect(await refuse({ bodyFont: "a'; x" })).to.contain("$.kit.bodyFont");
      expect(
        await refuse({ textStyles: { note: { "font-size": "large;" } } }),
      ).to.contain("$.kit.textStyles.note");
      expect(
        await refuse({ logo: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f" }),
      ).to.contain("$.kit.logo");
    });

    it("belongs to one organization", async () => {
      const other = await newCaller(service);
      expect((await brand(await other.get("/api/brand"))).version).to.equal(0);
    });
  });
});
