import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import sharp, { type Color } from "sharp";
import { openTemplate, typeAt, useJourneys } from "../../support/journeys.js";
import { useService } from "../../support/service.js";

async function picture(kind: "jpeg" | "png", background: Color) {
  const create = { width: 64, height: 64, channels: 4, background } as const;
  const bytes = await sharp({ create }).toFormat(kind).toBuffer();
  const src = `data:image/${kind};base64,${bytes.toString("base64")}`;
  return { type: "image", src, width: "30mm" } as const;
}

/** How many points of the first page's print are roughly of each color. */
function countPoints(page: Page): Promise<Record<string, number>> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector("[aria-label='Page 1 of 1'] canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const found = { red: 0, paleBlue: 0, green: 0 };
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue] = data.subarray(at, at + 3);
      if (red > 190 && green < 20 && blue < 20) found.red += 1;
      if (Math.abs(red - 128) < 6 && Math.abs(green - 128) < 6 && blue > 249) found.paleBlue += 1;
      if (green > red + 30 && green > blue + 30) found.green += 1;
    }
    return found;
  })()`);
}

describe("the preview beside the page", () => {
  const service = useService();
  const signIn = useJourneys(service);

  it("draws photographs, transparent pictures and emoji, with one worker for all documents", async () => {
    const session = await signIn("editor");
    const { page } = session;
    await openTemplate(session, {
      schema: [{ id: "root", fields: [] }],
      components: [
        { type: "text", id: "words", text: "Dear all 🟢" },
        await picture("jpeg", { r: 200, g: 0, b: 0, alpha: 1 }),
        await picture("png", { r: 0, g: 0, b: 255, alpha: 0.5 }),
      ],
    });
    expect(page.workers()).to.have.length(0);
    await page.getByRole("button", { name: "Preview" }).click();
    const print = page.getByRole("img", { name: "Page 1 of 1" });
    const first = await print.locator("canvas").elementHandle();
    const { red, paleBlue, green } = await countPoints(page);
    expect(red).to.be.greaterThan(1000);
    expect(paleBlue).to.be.greaterThan(1000);
    expect(green).to.be.greaterThan(20);
    const [worker] = page.workers();
    await typeAt(page, "Dear all");
    await page.keyboard.type(" and more");
    await page.keyboard.press("Escape");
    await page.waitForFunction((one) => !one?.isConnected, first);
    await print.locator("canvas").waitFor();
    expect(page.workers()).to.deep.equal([worker]);
  });
});
