import { describe, it } from "mocha";
import { onPaper, inEmail } from "/work/main/test/support/canvas-parts.js";
import { useService } from "/work/main/test/support/service.js";
import { openEditor } from "/work/main/test/support/studio-editor.js";
import { useStudio } from "/work/main/test/support/studio.js";
describe("shot", () => {
  const service = useService();
  const enter = useStudio(service);
  for (const [t, d] of [["document", onPaper], ["email", inEmail]] as const)
  it(t, async () => {
    const guest = await enter("editor");
    const { page } = await openEditor(service, guest, d, t);
    await page.setViewport({ width: 1280, height: t === "document" ? 5000 : 3000 });
    await page.evaluate("document.fonts.ready");
    await page.screenshot({ path: `/tmp/d1/${t}.png` , clip: t === "document" ? {x: 250, y: 1500, width: 760, height: 1700} : {x:250,y:0,width:760,height:2400}});
  });
});
