import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../support/service.js";
import { pressButton, waitForText, useStudio } from "../support/studio.js";

describe("API keys in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);
  const statusWith = async (key: string) => {
    const headers = { "x-api-key": key };
    return (await fetch(`${service.url}/api/templates`, { headers })).status;
  };

  it("are created, shown once, and revoked", async () => {
    const { page, pageErrors } = await signIn();
    await pressButton(page, "API keys");
    await waitForText(page, "No keys yet");
    await pressButton(page, "New key");
    await page.locator("#key-name").fill("Web shop");
    await pressButton(page, "Create key");
    const shown = await page.waitForSelector(".secret");
    const key = (await shown?.evaluate((one) => one.textContent)) ?? "";
    expect(await statusWith(key)).to.equal(200);
    await pressButton(page, "I've saved it");
    const focused = await page.evaluate("document.activeElement.innerText");
    expect(focused, "the focus goes back").to.include("New key");
    await waitForText(page, "Web shop");
    expect(await page.content()).to.not.include(key);
    await pressButton(page, "Revoke Web shop");
    await pressButton(page, "Revoke");
    await waitForText(page, "Revoked");
    expect(await statusWith(key)).to.equal(401);
    expect(pageErrors).to.deep.equal([]);
  });
});
