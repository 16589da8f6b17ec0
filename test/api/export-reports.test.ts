import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { download, useApi } from "../support/api.js";
import { batchWhen, sendBatch } from "../support/batches.js";

const root = (...fields: object[]) => [{ id: "root", fields }];
const text = (value: string, more: object = {}) => ({
  type: "text",
  text: value,
  ...more,
});

const metadata = z.object({
  platen: z.object({
    report: z.object({
      missing: z.array(z.object({ path: z.string(), component: z.string() })),
      failedAssets: z.array(z.object({ source: z.string() })),
      invalidData: z.array(z.record(z.string(), z.string())),
      missingGlyphs: z.unknown(),
      overflow: z.unknown(),
      missingTranslations: z.array(z.object({ key: z.string() })).optional(),
    }),
  }),
});

function reportOf(document: { metadata: unknown }) {
  return metadata.parse(document.metadata).platen.report;
}

const far = "https://images.invalid/a.png";

describe("the report of a document", () => {
  const api = useApi({ plan: "premium" });
  const publish = (components: object[], more: object = {}) =>
    api.caller.publish({ definition: { schema: root(), components, ...more } });

  it("is empty when nothing is wrong, which strict accepts", async () => {
    const data = { name: "Ada 日本 😀" };
    const formats = ["html", "pdf", "image"];
    const { headers } = await api.render({ data, formats, strict: true });
    expect(headers.get("x-render-warnings")).to.equal("0");
  });

  describe("of missing values and images", () => {
    const asset = "asset:01a1fe23-1721-7614-9a56-8080331f0d9e";
    let body: object;
    before(async () => {
      const templateId = await publish([
        text("{{ root.name }} {{ root.city }}"),
        { type: "image", src: far, alt: "Far away" },
        { type: "image", src: asset },
      ]);
      body = { templateId, data: { name: "Ada" } };
    });

    it("lists them, counted in a header, with placeholders for images", async () => {
      const { result, document, headers } = await api.render(body);
      expect(headers.get("x-render-warnings")).to.equal("3");
      const { missing, failedAssets } = reportOf(document);
      expect(missing).to.deep.equal([
        { path: "root.city", component: "$.components[0]" },
      ]);
      expect(failedAssets.map(({ source }) => source)).to.eql([far, asset]);
      const html = result.html?.htmlDocument ?? "";
      expect(html).not.to.match(/images\.invalid|platen-asset-/);
      expect(html.match(/data:image\/svg/g)).to.have.length(2);
    });

    it("is an error that lists them with strict, and the document has failed", async () => {
      const { error, document } = await api.fail({ ...body, strict: true });
      for (const named of ["root.city", "$.components[0]", far, asset])
        expect(error).to.contain(named);
      expect(document.outputs).to.deep.equal([]);
      expect(document.metadata).not.to.have.nested.property("platen.report");
    });
  });

  describe("of images and codes that cannot be drawn", () => {
    const code = "4006381333931";
    const badCode = "4006381333932";
    let templateId: string;
    before(async () => {
      templateId = await publish([
        text("{{ root.none }}"),
        { type: "image", src: "{{ root.logo }}" },
        { type: "barcode", value: "{{ root.code }}", symbology: "ean13" },
      ]);
    });
    const body = (data: object, renderOptions: object = {}) => ({
      templateId,
      data,
      renderOptions,
    });

    it("is an error for images alone when the request requires images", async () => {
      const options = { failedAssets: "fail" };
      for (const logo of [far, "javascript:alert(1)"])
        expect(await api.refused(body({ logo, code }, options)))
          .to.match(/^400 /)
          .and.contain(logo)
          .and.not.contain("root.none");
      await api.render(body({ code }, options));
      const { headers } = await api.render(body({ logo: far, code }));
      expect(headers.get("x-render-warnings")).to.equal("2");
    });

    it("is an error for barcodes unless the request asks for placeholders", async () => {
      expect(await api.refused(body({ code: badCode }))).to.match(
        /^400 .*\$\.components\[2\]/,
      );
      const options = { invalidCodes: "placeholder" };
      const bad = body({ code: badCode }, options);
      const { document, headers } = await api.render(bad);
      expect(headers.get("x-render-warnings")).to.equal("3");
      expect(JSON.stringify(document.metadata)).to.contain("invalidCodes");
      const both = body({ logo: far, code: badCode }, options);
      const error = await api.refused({ ...both, strict: true });
      for (const named of ["root.none", far, "$.components[2]"])
        expect(error).to.contain(named);
    });
  });

  describe("of the layout", () => {
    const data = { name: "ᎠᎠ", city: "Rome", width: 900 };
    let body: object;
    before(async () => {
      const templateId = await publish([
        text("{{ root.name }} {{ root.city }}"),
        {
          type: "container",
          style: { width: "{{ root.width }}px" },
          components: [text("As wide as told")],
        },
      ]);
      body = { templateId, formats: ["pdf"], data };
    });

    it("lists characters without a font, and elements wider than the page", async () => {
      const { document, headers } = await api.render(body);
      expect(headers.get("x-render-warnings")).to.equal("2");
      const { missingGlyphs, overflow } = reportOf(document);
      expect(missingGlyphs).to.deep.equal([
        { character: "Ꭰ", codePoint: "U+13A0", count: 2 },
      ]);
      expect(overflow).to.deep.equal([
        { element: "div", text: "As wide as told", widthPx: 900, roomPx: 658 },
      ]);
    });

    it("is an error with strict, together with all missing values", async () => {
      const { city: _city, ...rest } = data;
      const { error } = await api.fail({ ...body, data: rest, strict: true });
      for (const named of ["root.city", "U+13A0", "2 times", "900 px"])
        expect(error).to.contain(named);
    });

    it("is empty for html, where fonts and width depend on the reader", async () => {
      const html = { ...body, formats: ["html"], strict: true };
      const { headers } = await api.render(html);
      expect(headers.get("x-render-warnings")).to.equal("0");
    });
  });

  describe("of values that expressions cannot use", () => {
    const valid = {
      l: [{ v: 5 }, { v: null }, { v: "12.50" }],
      d: "2026-12-31",
      n: 12.5,
      total: 5,
      count: 2,
      months: [{ name: "May", revenue: 5 }],
    };
    const invalid = {
      l: [{ amount: 5 }, { v: "12,50" }, { v: 1 }],
      d: "31.12.2026",
      n: "12,50",
      total: 5,
      count: 0,
      months: [
        { name: "May", revenue: 5 },
        { name: "June", revenue: "7,5" },
      ],
    };
    let templateId: string;
    before(async () => {
      templateId = await publish([
        text("{{ SUM(root.l, v) | currency }}"),
        text('{{ DATE_ADD(root.d, 14, "days") | date }}'),
        text("{{ root.n | currency }} {{ root.n * 2 }}"),
        text("{{ root.total / root.count }}"),
        {
          type: "chart",
          chart: "bar",
          data: "root.months",
          label: "name",
          series: [{ field: "revenue" }],
        },
      ]);
    });

    it("lists each of them with its component, and strict refuses all of them", async () => {
      const body = { templateId, data: invalid };
      const { document, headers } = await api.render(body);
      const { missing, invalidData } = reportOf(document);
      expect(missing.map(({ path }) => path)).to.eql(["root.l[0].v"]);
      expect(
        invalidData.map(
          ({ path, component, code }) => `${component} ${path} ${code}`,
        ),
      ).to.have.members([
        "$.components[0] root.l[1].v wrong_type",
        "$.components[1] root.d invalid_date",
        "$.components[2] root.n wrong_type",
        "$.components[3] root.count division_by_zero",
        "$.components[4] revenue wrong_type",
      ]);
      expect(invalidData[0]).to.include({
        path: "root.l[1].v",
        component: "$.components[0]",
        code: "wrong_type",
        expected: "a number",
        found: 'the text "12,50"',
        message: 'root.l[1].v is the text "12,50", which is not a number.',
      });
      expect(headers.get("x-render-warnings")).to.equal("6");
      const { error } = await api.fail({ ...body, strict: true });
      for (const reason of [
        "The data has no root.l[0].v",
        'root.l[1].v is the text "12,50", which is not a number',
        'root.d is the text "31.12.2026", which is not a date.',
        'root.n is the text "12,50", which is not a number.',
        "root.count is 0",
        'revenue is the text "7,5", which is not a number.',
      ])
        expect(error).to.contain(reason);
    });

    it("is empty for valid values", async () => {
      const body = { templateId, data: valid, strict: true };
      const { headers, result } = await api.render(body);
      expect(headers.get("x-render-warnings")).to.equal("0");
      expect(result.html?.htmlDocument).to.contain("$17.50");
    });

    it("lists them where a rule or an order decides by them, but not where texts are meant", async () => {
      const price = { field: "price", type: "Number" };
      let count = 0;
      const linesWith = (passes: object) => {
        const collectionId = `line${(count += 1)}`;
        return {
          type: "fragment",
          collection: { collectionId, path: "root.lines", ...passes },
          components: [text(`{{ ${collectionId}.name }}`)],
        };
      };
      const withRule = (operator: string, value: unknown) => {
        const rules = [{ ...price, operator, value }];
        return linesWith({ filter: { combinator: "and", rules } });
      };
      const direction = "ASC";
      const { document } = await api.render({
        templateId: await publish([
          withRule(">", 100),
          withRule("between", "1,2000"),
          withRule("beginsWith", "1"),
          withRule("notEmpty", ""),
          linesWith({ sort: [{ ...price, direction }] }),
          linesWith({ sort: [{ field: "day", type: "Date", direction }] }),
          text("{{ 'dear' if root.first > 100 }}"),
          text("{{ 'late' if root.last > 'x' }}"),
        ]),
        data: {
          first: "1.200,00",
          last: "31.12.2026",
          lines: [
            { name: "a", price: "1.200,00", day: "31.12.2026" },
            { name: "b", price: "150", day: "2026-12-31" },
            { name: "c", price: null, day: "" },
          ],
        },
      });
      expect(
        reportOf(document).invalidData.map(
          ({ component, path }) => `${component} ${path}`,
        ),
      ).to.have.members([
        "$.components[0] root.lines[0].price",
        "$.components[1] root.lines[0].price",
        "$.components[4] root.lines[0].price",
        "$.components[5] root.lines[0].day",
        "$.components[6] root.first",
      ]);
    });
  });

  for (const templateType of ["document", "email"] as const)
    describe(`of values that the schema of a template of the type ${templateType} does not allow`, () => {
      const valid = { number: "1", total: 1, l: [{ v: 0 }] };
      const invalid = {
        issuedOn: "31.12.2026",
        total: "12,50",
        l: [{ v: 1 }, {}],
      };
      const images = templateType === "email" ? 0 : 1;
      let templateId: string;
      before(async () => {
        const lines = [{ name: "v", type: "Number", required: true }];
        const schema = [
          ...root(
            { name: "number", type: "String", required: true },
            { name: "issuedOn", type: "Date" },
            { name: "total", type: "Number" },
            { name: "paid", type: "Number", allowNumericStrings: true },
            { name: "l", type: "OneToManyLink", target: "lines" },
          ),
          { id: "lines", fields: lines },
        ];
        const image = { type: "image", src: far, alt: "Far away" };
        const components = [
          text("{{ root.number }} {{ root.total }}"),
          ...Array.from({ length: images }, () => image),
        ];
        const definition = { schema, components };
        templateId = await api.caller.publish({ definition, templateType });
      });
      const invalidData = async (data: object, options: object = {}) => {
        const { document } = await api.render({ templateId, data, ...options });
        return reportOf(document).invalidData.map(
          ({ path, code }) => `${path} ${code}`,
        );
      };

      it("lists and counts them, and the document is rendered", async () => {
        const body = { templateId, data: invalid };
        const { document, headers } = await api.render(body);
        const report = reportOf(document);
        expect(
          report.invalidData.map(({ path, code }) => `${path} ${code}`),
        ).to.deep.equal([
          "$.data.number missing_value",
          "$.data.issuedOn invalid_date",
          "$.data.total wrong_type",
          "$.data.l[1].v missing_value",
        ]);
        expect(report.invalidData[2]).to.include({
          expected: "a number",
          found: 'the text "12,50"',
        });
        const { length } = report.missing;
        expect(headers.get("x-render-warnings")).to.equal(
          String(4 + length + images),
        );
      });

      it("is an error with strict, with all of it and of the missing values, before an image is fetched", async () => {
        const body = { templateId, data: invalid, strict: true };
        const { error } = await api.fail(body);
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
      });

      it("has no undeclared fields and numbers as text where they are allowed, and undeclared fields on request", async () => {
        const data = { ...valid, colour: "red", l: [{ v: 1, w: 2 }] };
        expect(await invalidData({ ...data, paid: "12.50" })).to.eql([]);
        expect(await invalidData(data, { unknownFields: "allow" })).to.eql([]);
        expect(await invalidData(data, { unknownFields: "warn" })).to.eql([
          "$.data.l[0].w unknown_field",
          "$.data.colour unknown_field",
        ]);
      });

      it("is an error for undeclared fields alone with error, or with warn and strict", async () => {
        const data = { ...invalid, colour: "red" };
        const body = { templateId, data };
        const { error } = await api.fail({ ...body, unknownFields: "error" });
        expect(error)
          .to.contain('unknownFields is "error"')
          .and.contain("$.data.colour: ")
          .and.not.contain("$.data.total");
        for (const [more, path] of [
          [{ unknownFields: "warn", strict: true }, "$.data.colour: "],
          [{ unknownFields: "ignore" }, "$.unknownFields"],
        ] as const)
          expect(await api.refused({ ...body, ...more }))
            .to.match(/^400 /)
            .and.contain(path);
      });
    });

  describe("of the locale", () => {
    let templateId: string;
    before(async () => {
      const more = {
        locale: "{{ root.language }}",
        translations: { en: { hello: "Hello" }, de: { hello: "Hallo" } },
      };
      templateId = await publish([text('{{ t("hello") }} {{ 1.5 }}')], more);
    });
    const html = (body: object) => api.html({ templateId, ...body });

    it("is empty for the locale of the request, or else of the record", async () => {
      expect(await html({ locale: "de-AT" })).to.include('lang="de-AT"');
      const data = { language: "de" };
      expect(await html({ data })).to.include("Hallo");
      expect(await html({ data, locale: "en" })).to.include("Hello");
    });

    it("lists an unknown one of the record, and strict refuses it", async () => {
      const body = { templateId, data: { language: "xx-invalid" } };
      const { document, result } = await api.render(body);
      expect(result.html?.htmlDocument).to.include("Hello");
      expect(JSON.stringify(document.metadata)).to.include("invalid_locale");
      expect(await api.refused({ ...body, strict: true })).to.match(
        /^400 .*not a known locale/,
      );
    });

    for (const locale of ["xx-invalid", "", "de_DE", `de-${"x".repeat(70)}`])
      it(`is not made for the locale "${locale}" of a request`, async () => {
        expect(await api.refused({ templateId, locale })).to.match(
          /^400 .*\$\.locale/,
        );
      });

    it("lists texts that the translations lack, and strict refuses them", async () => {
      const french = { templateId, locale: "fr" };
      const { document, headers } = await api.render(french);
      expect(headers.get("x-render-warnings")).to.equal("1");
      const { missingTranslations } = reportOf(document);
      expect(missingTranslations?.[0]).to.include({ key: "hello" });
      expect(await api.refused({ ...french, strict: true })).to.match(
        /^400 .*no text "hello" in fr; that in en is printed/,
      );
    });

    it("may differ between a batch, its items and their records", async () => {
      const { batchId } = await sendBatch(api.caller, {
        templateId,
        formats: ["html"],
        locale: "de",
        items: [{}, { locale: "en" }, { data: { language: "en" } }],
      });
      const { documents } = await batchWhen(api.caller, batchId);
      const texts = documents.map(async ({ outputs }) => {
        const file = (await download(outputs[0]?.url)).toString();
        return /Hallo|Hello/.exec(file)?.[0];
      });
      expect(await Promise.all(texts)).to.eql(["Hallo", "Hello", "Hallo"]);
    });
  });
});
