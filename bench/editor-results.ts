import { execFileSync } from "node:child_process";
import { join } from "node:path";
import {
  type CDPSession,
  type KeyInput,
  type Page,
  type Browser,
  launch,
} from "puppeteer-core";
import { installBrowser } from "../core/rendering/index.js";
import { percentiles } from "./measurement.js";
import { isWanted } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";
import {
  ApiClient,
  DataFolder,
  type ServiceProcess,
  startProcess,
} from "./service.js";

const COMPONENTS = 2_000;
const TIMES = 20;
/** Neither at the top nor out of sight. */
const EDITED = "part-5";

interface Edit {
  name: string;
  before: (page: Page) => Promise<unknown>;
  act: (page: Page) => Promise<unknown>;
}

const EDITS: readonly Edit[] = [
  {
    name: "editor-select",
    before: select,
    act: (page) => page.keyboard.press("ArrowDown"),
  },
  {
    name: "editor-letter",
    before: async (page) => {
      await select(page);
      await page.keyboard.press("Enter");
      await page.waitForSelector(".sheet [contenteditable]");
    },
    act: (page) => page.keyboard.press("a"),
  },
  {
    name: "editor-move",
    before: select,
    act: (page) => chord(page, "Alt", "ArrowDown"),
  },
  {
    name: "editor-style",
    before: select,
    act: toggleWeight,
  },
  {
    name: "editor-duplicate",
    before: select,
    act: (page) => chord(page, "Control", "d"),
  },
  {
    name: "editor-undo",
    before: async (page) => {
      await select(page);
      for (let time = 0; time < TIMES; time += 1)
        await chord(page, "Control", "d");
    },
    act: (page) => chord(page, "Control", "z"),
  },
  {
    name: "editor-delete",
    before: select,
    act: (page) => page.keyboard.press("Delete"),
  },
];

/** What the browser's main thread is busy for with one edit of a page of 2,000 components, until the page is drawn. */
export const EDITOR: Group = {
  names: EDITS.map(({ name }) => name),
  results: async () => {
    const editor = await OpenEditor.open(large());
    try {
      const results: BenchResult[] = [];
      for (const edit of EDITS)
        if (isWanted(edit.name))
          results.push(await measured(editor.page, edit));
      return results;
    } finally {
      await editor.close();
    }
  },
};

function large(): object {
  const components = Array.from({ length: COMPONENTS }, (_, index) => ({
    type: "text",
    id: `part-${index}`,
    text: `Part ${index} for {{ root.name }}, in enough words to go on into a second line of the page.`,
  }));
  return {
    schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
    sample: { name: "Ada" },
    components,
  };
}

async function measured(page: Page, edit: Edit): Promise<BenchResult> {
  const session = await page.createCDPSession();
  // The time that the thread runs, whatever else the machine does.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await edit.before(page);
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await drawn(page);
    const startedAt = await busyMs(session);
    await edit.act(page);
    await drawn(page);
    times.push((await busyMs(session)) - startedAt);
  }
  await page.keyboard.press("Escape");
  await session.detach();
  return { name: edit.name, ...percentiles(times) };
}

async function busyMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  const busy = metrics.find(({ name }) => name === "TaskDuration");
  return (busy?.value ?? 0) * 1000;
}

/** Two frames: of what is drawn first, something may be measured and drawn once more. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))",
  );
}

async function select(page: Page): Promise<void> {
  await page.click(`.sheet [data-id="${EDITED}"]`);
}

/** By the text bar. */
async function toggleWeight(page: Page): Promise<void> {
  const field = "select.text-bar-weight";
  const weight = await page.$eval(field, ({ value }) => value);
  await page.select(field, weight === "600" ? "400" : "600");
}

async function chord(page: Page, held: KeyInput, key: KeyInput): Promise<void> {
  await page.keyboard.down(held);
  await page.keyboard.press(key);
  await page.keyboard.up(held);
}

const CACHE = join(process.cwd(), ".cache", "render");
const CLI = new URL("../dist/core/cli/main.js", import.meta.url).pathname;

/** A definition that is open in the studio, on a service and in a browser of its own. */
class OpenEditor {
  private constructor(
    readonly page: Page,
    private readonly browser: Browser,
    private readonly service: ServiceProcess,
    private readonly folder: DataFolder,
  ) {}

  static async open(definition: object): Promise<OpenEditor> {
    const folder = await DataFolder.make();
    const service = await startProcess("all", { PLATEN_DATA: folder.path });
    const templateId = await publish(service.url, folder, definition);
    const { executable } = await installBrowser(CACHE);
    const browser = await launch({
      executablePath: executable,
      headless: "shell",
      args: ["--no-sandbox"],
    });
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(linkFor(service.url, folder));
    await page.locator('::-p-aria([name="Sign in"])').click();
    await page.waitForSelector("nav a");
    await page.goto(`${service.url}/studio/templates/${templateId}/edit`);
    await page.waitForSelector(".sheet [data-id]");
    return new OpenEditor(page, browser, service, folder);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
    await this.folder.remove();
  }
}

async function publish(
  url: string,
  folder: DataFolder,
  definition: object,
): Promise<string> {
  const client = new ApiClient(url, await folder.key());
  const order = { name: "Large", templateType: "document", definition };
  const answer: { id: string } = JSON.parse(
    (await client.post("/api/templates", order)).toString(),
  );
  client.close();
  return answer.id;
}

/** Of the demo user, who is there from the first start on. */
function linkFor(url: string, folder: DataFolder): string {
  const output = execFileSync(
    process.execPath,
    [CLI, "user", "login-link", "demo@platen.invalid", "--json"],
    {
      env: { ...process.env, PLATEN_DATA: folder.path, PLATEN_BASE_URL: url },
      encoding: "utf8",
    },
  );
  const link: { url: string } = JSON.parse(output);
  return link.url;
}
