import { expect } from "chai";
import { describe, it } from "mocha";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mjmlToHtml } from "../../../core/compiler/email/compile-email.js";
import { mergeHtml, section } from "./emails.js";

describe("an email", () => {
  it("loads no fonts and no style sheets", () => {
    for (const family of ["Roboto", "Open Sans", "Lato"]) {
      const text = {
        type: "text",
        text: "x",
        style: { "font-family": family },
      };
      const html = mergeHtml([section([text])]);
      expect(html).to.include(family);
      expect(html).not.to.match(/<link|@import|https?:\/\/(?!www\.w3\.org)/);
    }
  });

  it("never includes a file, whatever its MJML contains", () => {
    const folder = mkdtempSync(join(tmpdir(), "platen-"));
    const file = join(folder, "secret.mjml");
    writeFileSync(file, "<mj-text>secret</mj-text>");
    try {
      for (const type of ["", ' type="html"', ' type="css"'])
        for (const path of [file, "package.json", "./package.json"]) {
          const html = mjmlToHtml(
            `<mjml><mj-body><mj-include path="${path}"${type}/></mj-body></mjml>`,
          );
          expect(html).not.to.match(/secret|devDependencies|mj-include/);
        }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("includes no file through its data or its markup", () => {
    const payload =
      '</mj-text><mj-include path="package.json"/><mj-raw>{{ x }}</mj-raw>';
    const components = [
      section([
        { type: "html", value: `${payload}{{ root.p }}` },
        { type: "markdown", value: "{{ root.p }}" },
        { type: "text", text: "{{ root.p }}" },
      ]),
    ];
    const html = mergeHtml(components, { p: payload });
    expect(html).not.to.match(/<mj-|devDependencies/);
  });
});
