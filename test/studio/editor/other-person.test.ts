import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { operator, Users } from "../../../core/accounts/index.js";
import { eventually } from "../../support/eventually.js";
import { reader } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import {
  type StudioUser,
  pressButton,
  waitForText,
  useStudio,
  linkFor,
  type Person,
  signInAs,
} from "../../support/studio.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";

const draftView = reader(
  z.object({
    savedBy: z.string().nullable(),
    definition: z.object({ components: z.array(z.object({ id: z.string() })) }),
  }),
);

describe("an editor in a browser where somebody else signs in", () => {
  const service = useService();
  const signIn = useStudio(service);

  async function newBob({ organizationId }: StudioUser): Promise<Person> {
    const email = `${crypto.randomUUID()}@example.com`;
    const bob = { name: "Bob", email, role: "editor" } as const;
    const users = new Users(service.store);
    const { id: userId } = await users.create(organizationId, bob, operator);
    return { organizationId, userId, email };
  }

  it("saves nothing in their name, keeps the changes, and saves them when its user is back", async () => {
    const ada = await signIn("editor");
    const { page, templateId } = await openEditor(service, ada, [
      { type: "text", id: "first", text: "First." },
      { type: "text", id: "second", text: "Second." },
    ]);
    const tab = await page.browserContext().newPage();
    const signInAgain = async (person: Person) => {
      await tab.goto(await linkFor(service, person));
      await pressButton(tab, "Sign in");
      await tab.waitForSelector("nav a");
    };
    const bob = await newBob(ada);
    await signInAgain(bob);

    await page.bringToFront();
    await page.locator(".sheet [data-id=first]").click();
    await pressKeys(page, "Delete");
    await waitForText(page, "You are now signed in as Bob in another tab.");
    await waitForText(page, "Your last changes aren't saved.");
    const asBob = await signInAs(service, bob);
    const draft = async () =>
      draftView(await asBob.get(`/studio/api/drafts/${templateId}`));
    expect((await draft()).savedBy).to.equal(null);
    await pressKeys(page, "Control+Z");
    await page.waitForSelector(".sheet [data-id=first]");
    await pressKeys(page, "Control+Shift+Z");

    await signInAgain(ada);
    await page.bringToFront();
    await eventually(async () => (await draft()).savedBy !== null);
    const { savedBy, definition } = await draft();
    expect(savedBy).to.equal("Ada");
    expect(definition.components.map(({ id }) => id)).to.deep.equal(["second"]);
    await page.waitForFunction("!document.querySelector('[role=alert]')");
  });
});
