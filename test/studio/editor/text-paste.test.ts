import { expect } from "chai";
import { isDeepStrictEqual } from "node:util";
import { describe, it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  pasteInto,
  startTyping,
  textOfDraft,
  waitForTextOfDraft,
} from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

const fromWord = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<style>p.MsoNormal { margin: 0 }</style></head><body><!--StartFragment-->
<p class=MsoNormal style='margin:0'><b><span style='color:red'>Dear {{ root.name }}</span></b><o:p></o:p></p>
<p class=MsoNormal>second <i>line</i></p><script>alert(1)</script><!--EndFragment--></body></html>`;

const fromDocs = `<meta charset="utf-8"><b style="font-weight:normal" id="docs-internal-guid-1">
<p dir="ltr"><span style="font-weight:700;font-style:normal">Bold</span><span style="text-decoration:underline"> and</span></p></b>`;

const fromDocsAsText = [
  { text: "Bold", marks: ["bold"] },
  { text: " and", marks: ["underline"] },
];

describe("text pasted into a text", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("keeps its formatting, contains variables, and is undone separately", async () => {
    const editor = await openEditor(service, await signIn(), [
      { id: "one", type: "text", text: "" },
    ]);
    const { page, pageErrors } = editor;
    await startTyping(page, "one");
    await pasteInto(page, { "text/html": fromWord });
    await eventually(async () =>
      isDeepStrictEqual(await textOfDraft(editor), [
        { text: "Dear {{ root.name }}", marks: ["bold"] },
        "\nsecond ",
        { text: "line", marks: ["italic"] },
      ]),
    );
    await pressKeys(page, "Control+A");
    await pasteInto(page, { "text/html": fromDocs });
    await eventually(async () =>
      isDeepStrictEqual(await textOfDraft(editor), fromDocsAsText),
    );
    await pressKeys(page, "Control+A");
    const template = 'a {{ root.x | default("}}") }}\r\nb \\{{ c';
    await pasteInto(page, { "text/plain": template });
    const written = template.replace("\r\n", "\n");
    await waitForTextOfDraft(editor, written);
    expect(await page.$$(".text-typing .chip")).to.have.length(1);
    await page.keyboard.type("!");
    await waitForTextOfDraft(editor, `${written}!`);
    await pressKeys(page, "Control+Z", "Control+Z");
    await eventually(async () =>
      isDeepStrictEqual(await textOfDraft(editor), fromDocsAsText),
    );
    expect(pageErrors).to.eql([]);
  });
});
