import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { waitForText, useStudio } from "../../support/studio.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";

const components: Component[] = [
  { type: "text", id: "first", text: "First." },
  { type: "text", id: "second", text: "Second." },
];

describe("saving in the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("saves and validates a change with one request", async () => {
    const user = await signIn("editor");
    // A request that the next page cuts off would count as running for ever.
    await user.page.waitForNetworkIdle({ concurrency: 1 });
    const editor = await openEditor(service, user, components);
    const { page, templateId, pageErrors } = editor;
    const draftPath = `/studio/api/drafts/${templateId}`;
    const requests: string[] = [];
    await page.waitForNetworkIdle({ concurrency: 1 });
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      const isPoll = pathname === `${draftPath}/revision`;
      if (pathname.startsWith("/studio/api/drafts/") && !isPoll)
        requests.push(`${request.method()} ${pathname}`);
    });
    await page.locator(".sheet [data-id=first]").click();
    await pressKeys(page, "Delete");
    await waitForText(page, "Saved just now");
    await page.waitForNetworkIdle({ concurrency: 1 });
    expect(requests).to.deep.equal([`PUT ${draftPath}`]);
    expect(pageErrors).to.deep.equal([]);
  });
});
