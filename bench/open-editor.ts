import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Browser, launch, type Page } from "puppeteer-core";
import { installBrowser } from "../core/rendering/index.js";
import { ApiClient } from "./api-client.js";
import { DataFolder } from "./data-folder.js";
import { type ServiceProcess, startProcess } from "./service-process.js";

const CACHE = join(process.cwd(), ".cache", "render");
const CLI = new URL("../dist/core/cli/main.js", import.meta.url).pathname;

/** A definition that is open in the studio, on a service and in a browser of its own. */
export class OpenEditor {
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
