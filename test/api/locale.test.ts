import { expect } from "chai";
import { before, describe, it } from "mocha";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { readError, replies, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { anyDatabase, publish } from "../support/store.js";

const definition = {
  schema: [{ id: "root", fields: [{ name: "language", type: "String" }] }],
  locale: "{{ root.language }}",
  translations: { en: { hello: "Hello" }, de: { hello: "Hallo" } },
  components: [{ type: "text", text: '{{ t("hello") }} {{ 1.5 }}' }],
};
const formats = ["html"];

anyDatabase((_open, database) => {
  describe("the locale of documents", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let templateId: string;
    const html = async (body: object) =>
      (await exported(caller, { templateId, formats, ...body })).result.html
        ?.htmlDocument;

    before(async () => {
      caller = await newBatchCaller(service);
      templateId = await publish(service.store, caller, { definition });
    });

    it("is that of the request, or else of the record", async () => {
      expect(await html({ locale: "de-AT" })).to.include('lang="de-AT"');
      const data = { language: "de" };
      expect(await html({ data })).to.include("Hallo");
      expect(await html({ data, locale: "en" })).to.include("Hello");
    });

    it("is reported where the record has an unknown one, and refused with strict", async () => {
      const body = { templateId, formats, data: { language: "xx-invalid" } };
      const { document, result } = await exported(caller, body);
      expect(result.html?.htmlDocument).to.include("Hello");
      expect(JSON.stringify(document.metadata)).to.include("invalid_locale");
      const response = await caller.post("/api/export", {
        ...body,
        strict: true,
      });
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.include("not a known locale");
    });

    it("is refused where the request has an unknown one", async () => {
      for (const locale of [
        "xx-invalid",
        "",
        "de_DE",
        `de-${"x".repeat(70)}`,
      ]) {
        const response = await caller.post("/api/export", {
          templateId,
          formats,
          locale,
        });
        expect(response.status).to.equal(400);
        expect(await readError(response)).to.include("$.locale");
      }
    });

    it("reports texts that the translations lack, and refuses them with strict", async () => {
      const french = { templateId, formats, locale: "fr" };
      const { document, headers } = await exported(caller, french);
      expect(headers.get("x-render-warnings")).to.equal("1");
      expect(JSON.stringify(document.metadata)).to.include(
        '"missingTranslations":[{"key":"hello"',
      );
      const response = await caller.post("/api/export", {
        ...french,
        strict: true,
      });
      expect(await readError(response)).to.include(
        'no text "hello" in fr; that in en is printed',
      );
    });

    it("may differ between a batch, its items and their records", async () => {
      const { batchId } = await sendBatch(caller, {
        templateId,
        formats,
        locale: "de",
        items: [{}, { locale: "en" }, { data: { language: "en" } }],
      });
      const batch = await batchWhen(
        caller,
        batchId,
        ({ status }) => status === "completed",
      );
      const texts = await Promise.all(
        batch.documents.map(async ({ id }) => {
          const { outputs } = await replies.document(
            await caller.get(`/api/documents/${id}`),
          );
          const file = await fetch(outputs[0]?.url ?? "");
          return /Hallo|Hello/.exec(await file.text())?.[0];
        }),
      );
      expect(texts).to.eql(["Hallo", "Hello", "Hallo"]);
    });
  });
});
