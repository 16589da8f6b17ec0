import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { said, useStudio } from "../../support/studio.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";

const components: Component[] = [
  { type: "text", id: "first", text: "First." },
  { type: "text", id: "second", text: "Second." },
];

describe("saving in the editor", () => {
  const service = useService();
  const enter = useStudio(service);

  it("saves and validates a change with one request", async () => {
    const entered = await enter("editor");
    // A request that the next page cuts off would count as running for ever.
    await entered.page.waitForNetworkIdle();
    const guest = await openEditor(service, entered, components);
    const { page, templateId, wrong } = guest;
    const draftPath = `/studio/api/drafts/${templateId}`;
    const requests: string[] = [];
    await page.waitForNetworkIdle();
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      const isPoll = pathname === `${draftPath}/revision`;
      if (pathname.startsWith("/studio/api/drafts/") && !isPoll)
        requests.push(`${request.method()} ${pathname}`);
    });
    await page.locator(".sheet [data-id=first]").click();
    await pressKeys(page, "Delete");
    await said(page, "Saved just now");
    await page.waitForNetworkIdle();
    expect(requests).to.deep.equal([`PUT ${draftPath}`]);
    expect(wrong).to.deep.equal([]);
  });
});
