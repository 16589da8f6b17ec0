import { expect } from "chai";
import { z } from "zod";
import {
  blueprintIds,
  changedBrandSchema,
} from "../../core/templates/index.js";
import { useApi } from "../support/api.js";
import { json, reader, replies } from "../support/caller.js";
import { draftReplies, type DraftReply } from "../support/draft-client.js";
import { anyDatabase } from "../support/store.js";
import { newVisitor, type TestVisitor } from "../support/studio.js";

const changed = reader(changedBrandSchema);

const kit = {
  colors: { primary: "#1446a0", text: "#131a29" },
  headingFont: null,
  bodyFont: "Source Serif 4",
  logo: null,
  textStyles: { note: { "font-size": "8pt" } },
};
const green = { ...kit, colors: { ...kit.colors, primary: "#0b6b50" } };
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="4"><rect width="12" height="4"/></svg>';

function colored(text: string, color: string) {
  const components = [{ id: "a", type: "text", text, style: { color } }];
  return { schema: [{ id: "root", fields: [] }], components };
}

anyDatabase((_open, database) => {
  describe("the brand kit", () => {
    const api = useApi({ config: { database } });
    const put = async (next: object, more: object = {}) =>
      changed(await api.caller.put("/api/brand", { kit: next, ...more }));
    const read = async (id: string) =>
      replies.template(await api.caller.get(`/api/templates/${id}`));
    const create = async (body: object) =>
      (
        await json<{ id: string }>(
          api.caller.post("/api/templates", { name: "Branded", ...body }),
          201,
        )
      ).id;
    const addLogo = async (body = picture) => {
      const url = `${api.service.url}/api/assets?name=logo.svg`;
      const key = { "x-api-key": api.caller.key };
      const headers = { ...key, "content-type": "image/svg+xml" };
      const sent = fetch(url, { method: "POST", headers, body });
      return (await json<{ id: string }>(sent, 201)).id;
    };

    it("leaves examples as they are when it is empty", async () => {
      const id = await create({ blueprint: "invoice" });
      expect(JSON.stringify((await read(id)).definition)).to.contain("#d8412f");
    });

    it("gives templates that are made from an example its colors, fonts, logo and text styles", async () => {
      const logo = await addLogo();
      await put({ ...kit, logo });
      const templateId = await create({ blueprint: "invoice" });
      const { sample, ...definition } = (await read(templateId)).definition;
      const text = JSON.stringify(definition);
      expect(text).to.contain("#1446a0").and.contain(`asset:${logo}`);
      expect(text).to.contain("'Source Serif 4', sans-serif");
      expect(text).to.not.match(/#d8412f|Inter|data:image/);
      expect(definition["styles"]).to.deep.include(kit.textStyles);
      const formats = ["pdf"];
      const { result } = await api.render({
        templateId,
        formats,
        data: sample,
      });
      expect(result.pdf?.sizeBytes).to.be.greaterThan(1000);
      // Three times as wide as the mark of 28 px in its column of 38 px.
      expect(JSON.stringify(definition["page"])).to.match(
        new RegExp(
          `"width":"94px","components":\\[[^\\]]*asset:${logo}[^\\]]*"width":"84px"`,
        ),
      );
    });

    it("gives the headings of every example its heading font", async () => {
      await put({ ...kit, headingFont: "Great Vibes" });
      for (const blueprint of blueprintIds()) {
        const { definition } = await read(await create({ blueprint }));
        const styles = z
          .record(z.string(), z.record(z.string(), z.string()))
          .parse(definition["styles"]);
        const names = [
          ...JSON.stringify(definition["components"]).matchAll(
            /"type":"heading"[^{}]*?"class":"(\w+)|"class":"(\w+)"[^{}]*?"type":"heading"/g,
          ),
        ].map(([, first, second]) => first ?? second ?? "");
        for (const name of names)
          expect(
            styles[name]?.["font-family"],
            `${blueprint}: ${name}`,
          ).to.match(/^'Great Vibes', ['\w-]/);
        const isPlain = ["receipt", "shipping-label"].includes(blueprint);
        expect(names.length > 0, blueprint).to.equal(!isPlain);
      }
    });

    describe("with drafts of the templates that follow", () => {
      let id: string;
      let visitor: TestVisitor;
      let path: string;
      const open = async () => draftReplies.view(await visitor.get(path));
      const save = ({ revision, base }: DraftReply, text: string) =>
        visitor.send("PUT", path, {
          definition: colored(text, "#1446a0"),
          expectedRevision: revision,
          base: base.hash,
        });
      before(async () => {
        const { organizationId } = api.caller;
        visitor = await newVisitor(api.service, "editor", organizationId);
      });
      const newDraft = async () => {
        await put(kit);
        id = await create({ definition: colored("first", "#1446a0") });
        path = `/studio/api/drafts/${id}`;
        return open();
      };

      it("changes the old values in them, which keep their other changes and are based on the new version", async () => {
        const opened = await newDraft();
        await draftReplies.saved(await save(opened, "edited"));
        await put(green, { templateIds: [id] });
        const draft = await open();
        expect(draft.definition).to.deep.equal(colored("edited", "#0b6b50"));
        const published = await read(id);
        expect(published.version).to.equal(2);
        expect(published.definition).to.deep.equal(colored("first", "#0b6b50"));
        expect(draft.base.definition).to.deep.equal(published.definition);
        expect(draft.base.hash).to.equal(draft.published.hash);
        expect(draft.isChanged).to.equal(true);
        const late = { ...opened, revision: opened.revision + 1 };
        expect((await save(late, "late")).status).to.equal(409);
        await json(
          visitor.send("POST", `${path}/publish`, {
            expectedRevision: draft.revision,
            createVersion: true,
            versionNote: null,
          }),
        );
        const { definition } = await read(id);
        expect(definition).to.deep.equal(colored("edited", "#0b6b50"));
      });

      it("loses no change of a draft that is saved at the same moment", async () => {
        await draftReplies.saved(await save(await newDraft(), "one"));
        const opened = await open();
        const [saved] = await Promise.all([
          save(opened, "two"),
          put(green, { templateIds: [id] }),
        ]);
        expect(saved.status).to.be.oneOf([200, 409]);
        const text = saved.status === 200 ? "two" : "one";
        const { definition } = await open();
        expect(definition).to.deep.equal(colored(text, "#0b6b50"));
      });
    });
  });
});
