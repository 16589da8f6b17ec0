import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../support/service.js";
import { pressButton, waitForText, usePage } from "../support/studio.js";

const ground = "getComputedStyle(document.body).backgroundColor";

describe("the studio's color scheme", () => {
  const service = useService();
  const user = usePage(service, "viewer");

  it("follows the system or the user's choice, which is remembered", async () => {
    const { page } = user();
    await page.goto(`${service.url}/studio/`);
    await waitForText(page, "No templates yet");
    const light = await page.evaluate(ground);
    await pressButton(page, "Account of Ada Acme");
    await pressButton(page, "Dark");
    const dark = await page.evaluate(ground);
    expect(dark).to.not.equal(light);
    await page.reload();
    await waitForText(page, "No templates yet");
    expect(await page.evaluate(ground)).to.equal(dark);
    await pressButton(page, "Account of Ada Acme");
    await pressButton(page, "System");
    expect(await page.evaluate(ground)).to.equal(light);
  });
});
