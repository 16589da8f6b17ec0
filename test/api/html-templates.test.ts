import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../support/caller.js";
import { useImageServer } from "../support/image-gallery.js";
import { useService } from "../support/service.js";

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
    for (const [markup, data] of [
      [{ html: '<img src="{{ root.url }}" alt="a">' }, { url }],
      [{ html: `<img src="${url.replace("http:", "https:")}">` }, {}],
      [
        {
          html: '<div style="--x: {{ root.url }}; background: var(--x)">a</div>',
        },
        { url: `url(${url})` },
      ],
      [
        {
          html: "<p>a</p>",
          css: `p { background: url("${url.replace("http:", "https:")}") }`,
        },
        {},
      ],
    ] as const)
      expect((await render(markup, data, ["pdf"])).status).to.equal(200);
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
