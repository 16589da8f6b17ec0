import { expect } from "chai";
import { describe, it } from "mocha";
import { Membership } from "../../core/storage/database/index.js";
import { useService } from "../support/service.js";
import {
  type StudioUser,
  pressButton,
  waitForText,
  useStudio,
  useBrowser,
} from "../support/studio.js";

describe("people in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);
  const open = useBrowser();

  it("are invited by a link that is shown once and signs them in", async () => {
    const owner = await signIn();
    const email = `${crypto.randomUUID()}@example.com`;
    await invite(owner, "Grace", email);
    const shown = await owner.page.waitForSelector(".secret");
    const url = (await shown?.evaluate((one) => one.textContent)) ?? "";
    await pressButton(owner.page, "Done");
    await waitForText(owner.page, email);
    expect(await owner.page.content()).to.not.include(url);
    const page = await open({ width: 1280 });
    await page.goto(url);
    await pressButton(page, "Sign in");
    await waitForText(page, "Grace");
    await page.waitForSelector("::-p-aria(Connections)");
    expect(await page.$$("::-p-aria(People)")).to.have.length(0);
    expect(owner.pageErrors).to.deep.equal([]);
  });

  it("get another role and are removed, except the last owner", async () => {
    const owner = await signIn();
    const { page, organizationId } = owner;
    await invite(owner, "Grace", `${crypto.randomUUID()}@example.com`);
    await pressButton(page, "Done");
    const change = async (name: string, role: string) => {
      await pressButton(page, `Actions for ${name}`);
      await pressButton(page, "Change role");
      await page.locator(`dialog ::-p-text(${role})`).click();
      await page.locator("dialog ::-p-aria(Change role)").click();
    };
    await change("Ada", "Viewer");
    await waitForText(page, "This is the last owner of the organization");
    await pressButton(page, "Cancel");
    await change("Grace", "Viewer");
    await page.waitForSelector("dialog", { hidden: true });
    await pressButton(page, "Actions for Grace");
    await pressButton(page, "Remove");
    await page.locator("dialog ::-p-aria(Remove)").click();
    await waitForText(page, "Grace was removed.");
    const left = await service.store.read.findBy(Membership, {
      organizationId,
    });
    const roles = left
      .map(({ role }) => role)
      .filter((one) => one !== "service");
    expect(roles).to.deep.equal(["owner"]);
  });
});

async function invite({ page }: StudioUser, name: string, email: string) {
  await pressButton(page, "People");
  await pressButton(page, "Invite someone");
  await page.locator("#person-name").fill(name);
  await page.locator("#person-email").fill(email);
  await page.locator("dialog ::-p-aria(Invite)").click();
  await waitForText(page, `Sign-in link for ${name}`);
}
