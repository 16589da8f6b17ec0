import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { exported, useService } from "../support/service.js";
import { publish } from "../support/store.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", type: "String", required: true },
        { name: "issuedOn", type: "Date" },
        { name: "total", type: "Number" },
        { name: "paid", type: "Number", allowNumericStrings: true },
        { name: "l", type: "OneToManyLink", target: "lines" },
      ],
    },
    { id: "lines", fields: [{ name: "v", type: "Number", required: true }] },
  ],
  components: [
    { type: "text", text: "{{ root.number }} {{ root.total }}" },
    { type: "image", src: "https://images.invalid/a.png", alt: "Far away" },
  ],
};
const valid = { number: "1", total: 1, l: [{ v: 0 }] };
const invalid = { issuedOn: "31.12.2026", total: "12,50", l: [{ v: 1 }, {}] };

const metadata = z.object({
  platen: z.object({
    report: z.object({
      invalidData: z.array(z.record(z.string(), z.string())),
      missing: z.array(z.object({ path: z.string() })),
    }),
  }),
});

for (const templateType of ["document", "email"] as const)
  describe(`invalid data of a template of the type ${templateType}`, () => {
    const service = useService();
    let caller: TestCaller;
    let templateId: string;

    before(async () => {
      caller = await newCaller(service);
      const components = definition.components.slice(0, 1);
      templateId = await publish(service.store, caller, {
        definition: {
          ...definition,
          components:
            templateType === "email" ? components : definition.components,
        },
        templateType,
      });
    });

    const render = (data: object, options: object = {}) =>
      exported(caller, { templateId, formats: ["html"], data, ...options });
    const rejection = async (data: object, options: object) => {
      const body = { templateId, formats: ["html"], data, ...options };
      const response = await caller.post("/api/export", body);
      expect(response.status).to.equal(400);
      return { response, error: await readError(response) };
    };
    const invalidData = async (data: object, options: object = {}) => {
      const { document } = await render(data, options);
      return metadata.parse(document.metadata).platen.report.invalidData;
    };

    it("is listed in the report and counted, and the document is rendered", async () => {
      const { document, headers } = await render(invalid);
      const { report } = metadata.parse(document.metadata).platen;
      const found = report.invalidData.map(({ path, code }) => [path, code]);
      expect(found).to.deep.equal([
        ["$.data.number", "missing_value"],
        ["$.data.issuedOn", "invalid_date"],
        ["$.data.total", "wrong_type"],
        ["$.data.l[1].v", "missing_value"],
      ]);
      expect(report.invalidData[2]).to.include({
        expected: "a number",
        found: 'the text "12,50"',
      });
      const images = templateType === "email" ? 0 : 1;
      expect(headers.get("x-render-warnings")).to.equal(
        String(4 + report.missing.length + images),
      );
    });

    it("is refused with strict, with all of it and of the missing values, before an image is fetched", async () => {
      const { response, error } = await rejection(invalid, { strict: true });
      for (const named of [
        "strict is true",
        "$.data.number: ",
        "$.data.issuedOn: ",
        '$.data.total: Expected a number, found the text "12,50".',
        "$.data.l[1].v: ",
        "The data has no root.number",
      ])
        expect(error).to.contain(named);
      expect(error).not.to.contain("images.invalid");
      const id = response.headers.get("x-document-id");
      const document = await (await caller.get(`/api/documents/${id}`)).json();
      expect(document).to.include({ status: "failed", error });
    });

    it("does not include undeclared fields unless unknownFields says so", async () => {
      const data = { ...valid, colour: "red", l: [{ v: 1, w: 2 }] };
      expect(await invalidData(data)).to.deep.equal([]);
      expect(await invalidData(data, { unknownFields: "allow" })).to.deep.equal(
        [],
      );
      const warned = await invalidData(data, { unknownFields: "warn" });
      expect(warned.map(({ path, code }) => [path, code])).to.deep.equal([
        ["$.data.l[0].w", "unknown_field"],
        ["$.data.colour", "unknown_field"],
      ]);
    });

    it('is refused for undeclared fields with unknownFields: "error", without strict', async () => {
      const data = { ...invalid, colour: "red" };
      const { error } = await rejection(data, { unknownFields: "error" });
      expect(error).to.contain('unknownFields is "error"');
      expect(error).to.contain("$.data.colour: ");
      expect(error).not.to.contain("$.data.total");
    });

    it('is refused for undeclared fields with unknownFields: "warn" and strict', async () => {
      const data = { ...valid, colour: "red" };
      const options = { unknownFields: "warn", strict: true };
      const { error } = await rejection(data, options);
      expect(error).to.contain("$.data.colour: ");
    });

    it("does not include numbers as text where the field allows them", async () => {
      expect(await invalidData({ ...valid, paid: "12.50" })).to.deep.equal([]);
    });

    it("is refused for a value of unknownFields that does not exist", async () => {
      const { error } = await rejection(valid, { unknownFields: "ignore" });
      expect(error).to.contain("$.unknownFields");
    });
  });
