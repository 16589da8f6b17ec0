import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "puppeteer-core";
import sharp from "sharp";
import { z } from "zod";
import { greatVibes } from "../support/assets.js";
import { reader } from "../support/caller.js";
import { holdResponses } from "../support/delayed-responses.js";
import { eventually } from "../support/eventually.js";
import { useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";
import { publish } from "../support/store.js";
import { getTemplate, openEditor } from "../support/studio-editor.js";
import {
  chooseAction,
  expectRefusal,
  newVisitor,
  pressButton,
  pressButtons,
  setSession,
  type TestVisitor,
  usePage,
  waitForButton,
  waitForDialogToClose,
  waitForText,
} from "../support/studio.js";

const readCards = reader(
  z.object({
    data: z.array(
      z.object({ id: z.string(), folderId: z.string().nullable() }),
    ),
  }),
);

describe("the library of the studio", () => {
  const service = useService();
  const user = usePage(service);
  const files = suiteFolder();
  let page: Page;
  let editor: TestVisitor;
  before(async () => {
    ({ page } = user());
    const background = "teal";
    const image = { width: 40, height: 30, channels: 3, background } as const;
    const logo = await sharp({ create: image }).png().toBuffer();
    await writeFile(join(files, "logo.png"), logo);
    await writeFile(join(files, "letters.ttf"), await greatVibes());
    await writeFile(join(files, "notes.txt"), "Only words");
    await writeFile(
      join(files, "seal.svg"),
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/><rect width="9" height="9"/></svg>',
    );
  });
  beforeEach(async () => {
    editor = await newVisitor(service, "editor");
    await setSession(service, page, editor);
  });

  const listCards = async (path: string) =>
    (await readCards(await editor.get(path))).data;
  const createFolder = async (name: string) => {
    await pressButton(page, "New folder");
    await page.locator("dialog input").fill(name);
    await pressButton(page, "Create folder");
    await waitForText(page, "in this folder yet");
  };
  /** By its menu. The dialog offers the folders under their names too. */
  const moveToFolder = async (name: string, folder: string) => {
    await chooseAction(page, name, "Move to folder");
    await page.locator(`dialog ::-p-text(${folder})`).click();
    await pressButton(page, "Move");
    await waitForDialogToClose(page);
  };

  it("moves a template into a new folder, to the trash, and back", async () => {
    await publish(service.store, editor);
    await user().open("");
    await createFolder("Sales");
    await pressButton(page, "All templates");
    await moveToFolder("Letter", "Sales");
    await pressButton(page, "Sales");
    await waitForButton(page, "Actions for Letter");
    const [card] = await listCards("/api/templates");
    expect(card?.folderId).to.be.a("string");
    await pressButtons(page, "Actions for the folder Sales", "Delete");
    await pressButton(page, "Delete", "dialog");
    await waitForText(page, "The folder is not empty: 1 template");
    await expectRefusal(user(), 409);
    await pressButton(page, "Cancel");
    await chooseAction(page, "Letter", "Move to trash");
    await waitForText(page, "Nothing in this folder yet");
    expect(await listCards("/api/templates")).to.deep.equal([]);
    await pressButtons(page, "Trash", "Restore Letter");
    await waitForText(page, "The trash is empty");
    expect(await listCards("/api/templates")).to.deep.equal([card]);
  });

  it("accepts a card dragged onto a folder", async () => {
    await publish(service.store, editor);
    await user().open("");
    await createFolder("Sales");
    await pressButton(page, "All templates");
    const card = await page.waitForSelector(".template-link");
    const folder = await page.waitForSelector("nav ::-p-text(Sales)");
    if (folder) await card?.drag(folder);
    if (card) await folder?.drop(card);
    await eventually(async () => {
      const [moved] = await listCards("/api/templates");
      return moved?.folderId;
    });
    await pressButton(page, "Sales");
    await waitForButton(page, "Actions for Letter");
  });

  it("renames a template by keyboard alone, and duplicates it", async () => {
    await publish(service.store, editor);
    await user().open("");
    const menu = await page.waitForSelector(
      "[aria-label='Actions for Letter']",
    );
    await menu?.focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=menuitem]:focus");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    await page.locator("dialog input").fill("Reminder");
    await page.keyboard.press("Enter");
    await chooseAction(page, "Reminder", "Duplicate");
    await waitForText(page, "was created from Reminder");
  });

  const upload = async (...names: string[]) => {
    const [chooser] = await Promise.all([
      page.waitForFileChooser(),
      page.locator(".upload").click(),
    ]);
    await chooser.accept(names.map((name) => join(files, name)));
  };

  it("takes several files at once, with a reason for each that is rejected", async () => {
    await user().open("assets");
    await waitForText(page, "No assets yet");
    await upload("logo.png", "notes.txt", "letters.ttf");
    await waitForButton(page, "Actions for letters.ttf");
    await waitForButton(page, "Actions for logo.png");
    await waitForButton(page, "Upload notes.txt again");
    await expectRefusal(user(), 400);
    expect(await listCards("/api/assets")).to.have.length(2);
    await page.waitForFunction(
      '[...document.fonts].some(({ family, status }) => family.includes("asset-") && status === "loaded")',
    );
  });

  it("says what it left out of a drawing, at its upload and with its facts", async () => {
    await user().open("assets");
    await upload("seal.svg");
    await waitForText(page, "A script was left out.");
    await pressButtons(page, "Dismiss seal.svg", "Image: seal.svg");
    await waitForText(page, "A script was left out.");
  });

  it("renames and views an asset, and moves it into a folder, to the trash, back, and away for good", async () => {
    await user().open("assets");
    await upload("logo.png");
    await createFolder("Logos");
    await pressButton(page, "All assets");
    await chooseAction(page, "logo.png", "Rename");
    await page.locator("dialog input").fill("Our logo");
    await pressButton(page, "Rename", "dialog");
    await moveToFolder("Our logo", "Logos");
    await pressButtons(page, "Logos", "Image: Our logo");
    await waitForText(page, "PNG, 40\u00a0×\u00a030", "asset:");
    await pressButton(page, "Close");
    const trash = async () => {
      await chooseAction(page, "Our logo", "Move to trash");
      await waitForText(page, "No assets in this folder yet");
      await pressButton(page, "Trash");
    };
    await trash();
    await chooseAction(page, "Our logo", "Restore");
    await waitForText(page, "The trash is empty");
    expect(await listCards("/api/assets")).to.have.length(1);
    await pressButton(page, "Logos");
    await trash();
    await chooseAction(page, "Our logo", "Delete permanently");
    await pressButton(page, "Delete permanently", "dialog");
    await waitForText(page, "The trash is empty");
    expect(await listCards("/api/assets?includeTrashed=true")).to.deep.equal(
      [],
    );
  });

  it("still offers a file in the editor after the system's file dialog was canceled", async () => {
    await openEditor(service, { ...user(), ...editor }, [
      { type: "image", id: "logo", src: "" },
    ]);
    await page.locator(".sheet [data-id=logo]").click();
    await pressButton(page, "Choose");
    const chooseFile = async () => {
      const [chooser] = await Promise.all([
        page.waitForFileChooser(),
        page.locator("dialog .upload").click(),
      ]);
      return chooser;
    };
    await (await chooseFile()).cancel();
    await (await chooseFile()).accept([join(files, "logo.png")]);
    await page.waitForSelector(".sheet [data-id=logo] img");
  });
});

describe("a new template", () => {
  const service = useService();
  const user = usePage(service);
  const folder = suiteFolder();
  const visit = async (path: string) => {
    const { page } = user();
    await page.goto(`${service.url}/studio/${path}`);
    return page;
  };
  const getOpened = async () => {
    const { page } = user();
    await page.waitForSelector(".sheet");
    return /templates\/([\w-]+)\/edit/.exec(page.url())?.[1] ?? "";
  };

  it("starts from an example that a search finds, and stops loading the pictures of others", async () => {
    const page = await visit("templates");
    // The pictures are held, as if they were being rendered.
    const pictures = await holdResponses(page, "/picture", { isRequest: true });
    const stopped = new Promise<void>((resolve) => {
      page.on("requestfailed", (request) => {
        if (request.url().endsWith("/contract/picture")) resolve();
      });
    });
    await pressButton(page, "New template");
    await waitForText(page, "Blank document");
    await page.waitForSelector("img[src$='/contract/picture']");
    await page.locator("input[type=search]").fill("packing");
    await stopped;
    pictures.release();
    await pressButton(page, "Packing list");
    await page.locator("dialog input").fill("Our parcels");
    await pressButton(page, "Create and open");
    const made = await getTemplate(user(), await getOpened());
    expect(made.name).to.equal("Our parcels");
    expect(made.definition.components.length).to.be.above(0);
  });

  it("starts empty, as a document or an email", async () => {
    const page = await visit("templates/new");
    await page.locator('::-p-aria([name="Blank email"])').click({ count: 2 });
    const id = await getOpened();
    expect((await getTemplate(user(), id)).templateType).to.equal("email");
    await pressButton(page, "Untitled");
    await page.keyboard.type("News");
    await page.keyboard.press("Enter");
    await eventually(
      async () => (await getTemplate(user(), id)).name === "News",
    );
    await visit("templates");
    await waitForText(page, "News");
    // The double click has made one.
    const emails = await page.$$eval("li.template", (all) =>
      all.filter(({ innerText }) => /News|Untitled/.test(innerText)),
    );
    expect(emails).to.have.length(1);
  });

  it("starts from a file, and rejects a file that is not a template", async () => {
    const page = await visit("templates/new");
    const chooser = await page.waitForSelector("input[type=file]");
    const file = join(folder, "Our letter.json");
    await writeFile(file, "no template");
    await chooser?.uploadFile(file);
    await waitForText(page, "Our letter.json isn't a template.");
    const components = [{ type: "text", id: "first", text: "From a file." }];
    const schema = [{ id: "root", fields: [] }];
    await writeFile(file, JSON.stringify({ schema, components }));
    await chooser?.uploadFile(file);
    await pressButton(page, "Create and open");
    await page.waitForSelector(".sheet [data-id=first]");
    await waitForText(page, "Our letter");
  });
});
