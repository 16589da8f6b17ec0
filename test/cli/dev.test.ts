import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { appendFile, readdir, writeFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import { parseConfig } from "../../config/index.js";
import { openLocalPrinter } from "../../core/app/command-services.js";
import {
  describeFileProblem,
  type LocalPrinter,
  type PreviewResult,
  startPreviewServer,
} from "../../core/template-files/index.js";
import { installClock } from "../support/clock.js";
import { until } from "../support/eventually.js";
import { getPort } from "../support/free-port.js";
import { lazyRenderer } from "../support/renderer.js";
import { programArguments } from "../support/service-process.js";
import { cliOn } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import { useBrowser } from "../support/studio.js";
import {
  drawing,
  readFiles,
  textTemplate,
  writeFiles,
} from "../support/template-files.js";

const previewSchema = z.object({
  /** The revision whose pages are visible. */
  drawn: z.string(),
  state: z.string(),
  pages: z.number(),
  scrollTop: z.number(),
  problems: z.string(),
});

/** What the page shows. */
async function readPreview(page: Page) {
  const shown: unknown = await page.evaluate(`({
    drawn: document.documentElement.dataset.drawn ?? "",
    state: document.getElementById("state").textContent,
    pages: document.querySelectorAll(".page").length,
    scrollTop: document.getElementById("main").scrollTop,
    problems: document.getElementById("problem-list").textContent,
  })`);
  return previewSchema.parse(shown);
}

function imageTemplate(src: string): object {
  const schema = [{ id: "root", fields: [] }];
  const components = [{ type: "image", src, alt: "Acme" }];
  return { name: "Image", definition: { schema, components } };
}

describe("platen dev", () => {
  const home = suiteFolder();
  const openPage = useBrowser();
  const open: (() => Promise<void>)[] = [];
  let printer: LocalPrinter;
  let folderCount = 0;
  before(async () => {
    const config = parseConfig({ PLATEN_DATA: join(home, "data") });
    printer = await new Promise<LocalPrinter>((resolve, reject) => {
      const use = (opened: LocalPrinter) =>
        new Promise<void>((close) => {
          open.push(async () => close());
          resolve(opened);
        });
      openLocalPrinter(config, use, async () => lazyRenderer).catch(reject);
    });
  });
  after(async () => {
    for (const close of open.toReversed()) await close();
  });

  const newFolder = (files: Record<string, unknown>) => {
    folderCount += 1;
    const folder = join(home, `templates-${folderCount}`);
    writeFiles(folder, files);
    return folder;
  };
  /** What `platen dev` starts, and what it prints. */
  const startPreview = async (folder: string) => {
    const results: PreviewResult[] = [];
    const server = await startPreviewServer(printer, {
      folder,
      port: 0,
      now: null,
      onResult: (result) => void results.push(result),
    });
    open.push(() => server.close());
    const problems = () =>
      results.flatMap((one) => one.problems.map(describeFileProblem));
    return { url: server.url, results, problems };
  };

  it("draws the pages again when a file is replaced, at the same place", async () => {
    const many = Array.from({ length: 120 }, (_, line) => `Line ${line}`);
    const letter = textTemplate("Letter", many.join("\n"));
    const folder = newFolder({ "letter/template.json": letter });
    const { url } = await startPreview(folder);
    const page = await openPage({ width: 1200 });
    await page.goto(url);
    const earlier = await until("the pages are drawn", async () => {
      const preview = await readPreview(page);
      return preview.drawn !== "" && preview;
    });
    expect(earlier.pages).to.be.greaterThan(1);
    await page.evaluate(`document.getElementById("main").scrollTo(0, 400)`);
    const longer = textTemplate("Letter", [...many, ...many].join("\n"));
    // As editors save: a new file takes the place of the old one.
    const draft = join(folder, "letter", ".template.json.swp");
    writeFileSync(draft, JSON.stringify(longer));
    renameSync(draft, join(folder, "letter", "template.json"));
    const next = await until("the change is drawn", async () => {
      const preview = await readPreview(page);
      return preview.drawn !== earlier.drawn && preview;
    });
    expect(next.pages).to.be.greaterThan(earlier.pages);
    expect(next.scrollTop).to.equal(400);
    expect(next.problems).to.equal("");
  });

  it("shows a mistake with its line and column, and keeps the last preview", async () => {
    const letter = textTemplate("Letter", "Letter {{ root.number }}");
    const folder = newFolder({
      "letter/template.json": letter,
      "letter/sample.json": { number: "1" },
      "other/template.json": textTemplate("Other", "Other"),
    });
    const dev = await startPreview(folder);
    const page = await openPage({ width: 1200 });
    await page.goto(`${dev.url}/#/letter/sample`);
    await until("the page is drawn", async () => {
      return (await readPreview(page)).drawn !== "";
    });
    const text = JSON.stringify(letter, null, 2);
    const file = join(folder, "letter", "template.json");
    writeFileSync(file, text.replace("root.number }}", "root.nmber | x }}"));
    const shown = await until("the mistake is shown", async () => {
      const preview = await readPreview(page);
      return preview.problems !== "" && preview;
    });
    expect(shown.problems).to.match(/letter\/template\.json:\d+:\d+/);
    expect(shown.problems).to.include('Unknown filter "x".');
    expect(shown.state).to.equal("Showing the last preview without errors");
    expect(shown.pages).to.equal(1);
    expect(dev.problems().join("\n")).to.match(
      /letter\/template\.json:\d+:\d+: error: .*Unknown filter "x"/,
    );
    writeFileSync(file, text.replace(/\}$/, ",}"));
    const trailing = await until("the other mistake is shown", async () => {
      const { problems } = await readPreview(page);
      return problems.includes("comma") && problems;
    });
    expect(trailing).to.match(/template\.json:\d+:2JSON must not have a comma/);
    writeFileSync(file, text);
    await until("nothing is wrong any more", async () => {
      const { problems, state } = await readPreview(page);
      return problems === "" && state.startsWith("1 page");
    });
  });

  it("serves the PDF, the pages and the HTML to this machine's browsers alone", async () => {
    const folder = newFolder({
      "letter/template.json": imageTemplate("assets/logo.svg"),
      "letter/assets/logo.svg": drawing("navy"),
    });
    const { url } = await startPreview(folder);
    const sample = `${url}/preview/letter/sample`;
    const pdf = await fetch(`${sample}/pdf`);
    expect(pdf.headers.get("content-type")).to.equal("application/pdf");
    expect((await pdf.text()).slice(0, 5)).to.equal("%PDF-");
    const picture = await fetch(`${sample}/1/page-1?scale=2`);
    expect(picture.headers.get("content-type")).to.equal("image/png");
    const html = await fetch(`${sample}/1/html`);
    expect(await html.text()).to.include("data:image/svg+xml");
    expect(html.headers.get("content-security-policy")).to.include(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    );
    const main = await fetch(url);
    expect(main.headers.get("content-security-policy")).to.include(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    const address = new URL(url);
    const foreign = await new Promise<number>((resolve, reject) => {
      const headers = { host: `evil.example:${address.port}` };
      const request = get(url, { headers }, (reply) =>
        resolve(reply.statusCode ?? 0),
      );
      request.on("error", reject);
    });
    expect(foreign).to.equal(421);
    expect((await fetch(`${sample}/1/page-9`)).status).to.equal(404);
  });

  it("waits for the rest of a file that is half written", async () => {
    const letter = JSON.stringify(textTemplate("Letter", "Letter"));
    const folder = newFolder({ "letter/template.json": letter });
    const { results } = await startPreview(folder);
    await until("it is checked", () => results.length > 0);
    const count = results.length;
    const file = join(folder, "letter", "template.json");
    // The rest comes in time, however busy the machine is.
    const restore = installClock({
      pause: (milliseconds) => milliseconds * 10,
    });
    try {
      await writeFile(file, "");
      for (const part of letter.match(/.{1,20}/g) ?? [])
        await appendFile(file, part);
      await until("it is checked again", () => results.length > count);
    } finally {
      restore();
    }
    expect(results.flatMap(({ problems }) => problems)).to.deep.equal([]);
  });

  it("shows the last of many saves in quick succession", async () => {
    const folder = newFolder({
      "letter/template.json": textTemplate("Letter", "Letter"),
    });
    const { url } = await startPreview(folder);
    const file = join(folder, "letter", "template.json");
    for (let save = 1; save <= 100; save += 1)
      await writeFile(file, JSON.stringify(textTemplate(`Save ${save}`, "")));
    await until("the last is read", async () => {
      const response = await fetch(`${url}/api/status`);
      return (await response.text()).includes('"Save 100"');
    });
  });

  it("finds templates that are added, and forgets those that are deleted", async () => {
    const folder = newFolder({
      "letter/template.json": textTemplate("Letter", "Letter"),
    });
    const { url } = await startPreview(folder);
    const names = async () => {
      const response = await fetch(`${url}/api/status`);
      const { templates }: { templates: { name: string }[] } = JSON.parse(
        await response.text(),
      );
      return templates.map(({ name }) => name).join(", ");
    };
    writeFiles(folder, { "memo/template.json": textTemplate("Memo", "Memo") });
    await until("it is listed", async () => (await names()) === "Letter, Memo");
    renameSync(join(folder, "letter"), join(home, `deleted-${folderCount}`));
    await until("it is gone", async () => (await names()) === "Memo");
  });

  it("reads no file outside of the folder", async () => {
    const folder = newFolder({
      "parent/template.json": imageTemplate("../../../../etc/passwd"),
      "link/template.json": imageTemplate("assets/secret.png"),
      "missing/template.json": imageTemplate("assets/none.png"),
      "link/assets/keep.txt": "",
      "../secret.png": "secret",
    });
    symlinkSync(
      join(home, "secret.png"),
      join(folder, "link", "assets", "secret.png"),
    );
    const { problems } = await startPreview(folder);
    await until("all are checked", () => problems().length > 2);
    expect(problems().join("\n")).to.match(
      /^parent\/template\.json:\d+:\d+: error: The path \.\.\/\.\.\/\.\.\/\.\.\/etc\/passwd leaves the templates folder\./m,
    );
    expect(problems().join("\n")).to.match(
      /^link\/template\.json:\d+:\d+: error: The file link\/assets\/secret\.png is a link to a file outside/m,
    );
    expect(problems().join("\n")).to.match(
      /^missing\/template\.json:\d+:\d+: error: There is no file missing\/assets\/none\.png\./m,
    );
  });

  it("says which port is in use, and what a folder without templates lacks, and writes the settings of Visual Studio Code only when asked, beside those that are there", async () => {
    const platen = cliOn(home);
    const run = (folder: string, ...more: string[]) =>
      platen("dev", folder, "--open", "no", ...more);
    const empty = newFolder({ "readme.txt": "Nothing here" });
    const lacking = await run(empty, "--port", "0");
    expect(lacking.code).to.equal(1);
    expect(lacking.stderr).to.include(
      "has no templates. A template is a folder",
    );
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const port = String(getPort(server));
    const folder = newFolder({
      "letter/template.json": textTemplate("Letter", "Letter"),
      ".vscode/settings.json": '{\n  // mine\n  "editor.tabSize": 2\n}\n',
    });
    const unchanged = await readFiles(folder);
    const taken = await run(folder, "--port", port);
    expect(taken.code).to.equal(1);
    expect(taken.stderr).to.equal(
      `platen: Port ${port} is in use. Choose another one with --port, or --port 0 for any free port.\n`,
    );
    expect(await readFiles(folder)).to.deep.equal(unchanged);
    await run(folder, "--port", port, "--vscode");
    server.close();
    const files = await readFiles(folder);
    const read = (name: string) =>
      Buffer.from(files[name] ?? "", "base64").toString();
    expect(read(".vscode/settings.json"))
      .to.include('// mine\n  "editor.tabSize": 2')
      .and.include('"./.vscode/platen-template.schema.json"');
    expect(read(".vscode/platen-template.schema.json")).to.include(
      "Platen template",
    );
    expect(read(".vscode/platen-html-data.json"))
      .to.include('"data-each"')
      .and.include('"data-else"');
  });

  it("prints its address and the mistakes as a process, ends with Ctrl-C, and leaves nothing behind", async () => {
    const folder = newFolder({
      "letter/template.json": textTemplate("Letter", "{{ root.number | x }}"),
      "memo/template.json": textTemplate("Memo", "Memo"),
    });
    const temporary = join(home, "temporary");
    mkdirSync(temporary);
    const args = ["dev", folder, "--port", "0", "--open", "no"];
    const child = spawn(
      process.execPath,
      [...programArguments("core/cli/main"), ...args],
      {
        env: { PATH: process.env.PATH, TMPDIR: temporary },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (bytes) => (stdout += String(bytes)));
    child.stderr.on("data", (bytes) => (stderr += String(bytes)));
    const ended = once(child, "exit");
    const url = await until("its address is printed", () => {
      if (child.exitCode !== null) throw new Error(stderr);
      return /^Preview: (\S+)$/m.exec(stdout)?.[1];
    });
    expect((await fetch(`${url}/api/status`)).status).to.equal(200);
    await until("both are checked", () =>
      /^letter\/template\.json:\d+:\d+: error: .*Unknown filter "x"[^]*^memo: ok \(\d+ ms\)$/m.test(
        stderr,
      ),
    );
    child.kill("SIGINT");
    await ended;
    expect(child.exitCode).to.equal(0);
    const left = await readdir(temporary);
    expect(left.filter((name) => name.startsWith("platen"))).to.deep.equal([]);
  });
});
