import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { newCaller, type TestCaller } from "../support/caller.js";
import { useImageServer } from "../support/image-gallery.js";
import { useService } from "../support/service.js";

const reportSchema = z.object({
  metadata: z.object({
    platen: z.object({
      report: z.object({
        failedAssets: z.array(
          z.object({ source: z.string(), reason: z.string() }),
        ),
      }),
    }),
  }),
});

describe("an HTML template over REST", () => {
  const service = useService();
  const canary = useImageServer({});
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
  });

  const render = (markup: object, data: object = {}, formats = ["html"]) =>
    caller.post("/api/export", {
      definition: {
        schema: [{ id: "root", fields: [{ name: "url", type: "String" }] }],
        components: [{ type: "markup", ...markup }],
      },
      formats,
      data,
    });

  it("prints no image of a private address that data, HTML or a style sheet names, and asks none", async () => {
    const url = canary.at("/a.png");
    // Style sheets and constants name https addresses only.
    const secure = url.replace("http:", "https:");
    for (const [markup, data, refused] of [
      [{ html: '<img src="{{ root.url }}" alt="a">' }, { url }, [url]],
      [{ html: `<img src="${secure}">` }, {}, [secure]],
      [
        {
          html: '<div style="--x: {{ root.url }}; background: var(--x)">a</div>',
        },
        { url: `url(${url})` },
        [],
      ],
      [
        { html: "<p>a</p>", css: `p { background: url("${secure}") }` },
        {},
        [secure],
      ],
    ] as const) {
      const response = await render(markup, data, ["pdf"]);
      expect(response.status).to.equal(200);
      const id = response.headers.get("x-document-id") ?? "";
      const document = reportSchema.parse(
        await (await caller.get(`/api/documents/${id}`)).json(),
      );
      const { failedAssets } = document.metadata.platen.report;
      expect(failedAssets.map(({ source }) => source)).to.eql(refused);
      for (const { reason } of failedAssets)
        expect(reason).to.include("PLATEN_ALLOW_PRIVATE_NETWORKS");
    }
    expect(canary.requests).to.eql([]);
  });

  it("is refused with its places when it names what may not be loaded", async () => {
    const response = await render({
      html: '<p>a</p>\n<script src="https://a.example"></script>',
      css: '@import "https://a.example/a.css";',
    });
    expect(response.status).to.equal(400);
    expect(await response.text())
      .to.include("$.components[0].html, line 2, column 1: <script> is not")
      .and.include("$.components[0].css, line 1, column 1: @import is not");
  });

  it("of ten megabytes is refused for its size", async () => {
    const html = `<ul>${"<li>One more line of text</li>\n".repeat(320_000)}</ul>`;
    const response = await render({ html });
    expect([400, 413]).to.include(response.status);
    expect(await response.text()).to.match(/larger|at most|bytes|characters/);
  });
});
