import { describe, it } from "mocha";
import { blueprint } from "../../core/templates/index.js";
import { useService } from "../support/service.js";
import { openEditor } from "../support/studio-editor.js";
import { useStudio, pressButton } from "../support/studio.js";
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
describe("scratch", () => {
  const service = useService();
  const signIn = useStudio(service);
  it("shots", async () => {
    const definition: any = structuredClone(blueprint("invoice").definition);
    definition.sample.lines = Array.from({ length: 60 }, (_n, i) => ({ ...definition.sample.lines[i % definition.sample.lines.length], description: `Position ${i + 1}.` }));
    definition.components.push({ type: "page-break", id: "brk" }, { type: "markdown", id: "md", value: "# Title\n\nSome **bold** and a list\n\n- one\n- two\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |" }, { type: "text", id: "hid", text: "Hidden", condition: { combinator: "and", rules: [{ field: "root.number", operator: "=", value: "x" }], else: [{ type: "text", id: "els", text: "Else is here" }] } }, {type:"text",id:"after",text:"After"});
    const editor = await signIn("editor", { width: 1440 });
    const { page, pageErrors } = await openEditor(service, editor, definition);
    await wait(2500);
    await page.click(".zoom-now");
    for (let i = 0; i < 3; i++) { await pressButton(page, "Zoom out"); await wait(200); }
    await page.setViewport({ width: 1440, height: 2600 });
    await wait(500);
    await page.screenshot({ path: "/tmp/s-all.png" });
    const n = await page.$$(".d-main tr[data-copy]");
    await n[30]!.click();
    await wait(500);
    await page.screenshot({ path: "/tmp/s-copy.png" });
    await page.click('[data-id="hid"]').catch((e) => console.log(String(e)));
    await wait(500);
    await page.screenshot({ path: "/tmp/s-hid.png", clip: { x: 240, y: 1400, width: 900, height: 1150 } });
    await page.setViewport({ width: 1440, height: 900 });
    await page.click(".zoom-now"); await page.click(".zoom-now");
    await pressButton(page, "Preview");
    await wait(3000);
    await page.screenshot({ path: "/tmp/s-preview-1440.png" });
    await page.setViewport({ width: 1280, height: 900 });
    await wait(800);
    await page.screenshot({ path: "/tmp/s-preview-1280.png" });
    console.log(pageErrors);
  });
});
