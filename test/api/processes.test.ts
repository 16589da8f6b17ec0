import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect } from "chai";
import { Compute } from "../../core/compute/index.js";
import { openStore, Template } from "../../core/storage/database/index.js";
import { InlineTemplates } from "../../core/templates/index.js";
import { download } from "../support/api.js";
import { getTree, living } from "../support/browser-processes.js";
import { type Requests, replies, requestsTo } from "../support/caller.js";
import { until } from "../support/eventually.js";
import { silentLog } from "../support/recording-log.js";
import { profileFolders } from "../support/renderer.js";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../support/service-process.js";
import { cliOn } from "../support/store-cli.js";
import { definition } from "../support/store.js";
import { suiteFolder } from "../support/store-folder.js";

/** The processes that answer requests, of a service of several. */
async function findMembers({ pid }: ServiceProcess): Promise<number[]> {
  const path = `/proc/${pid}/task/${pid}/children`;
  const children = await readFile(path, "utf8");
  return children.trim().split(" ").filter(Boolean).map(Number);
}

const findProfiles = async (tree: number[]) =>
  (await Promise.all(tree.map(profileFolders))).flat();

const isOver = async (tree: number[]) => (await living(tree)).length === 0;

describe("a start of the service that fails", () => {
  const folder = suiteFolder();

  for (const [what, env, args, message] of [
    [
      "an invalid configuration",
      { PLATEN_PORT: "many", PLATEN_LOG_LEVEL: "loud" },
      ["start"],
      /^platen: .*\n.*PLATEN_PORT.*\n.*PLATEN_LOG_LEVEL/,
    ],
    [
      "a number of processes that is none",
      {},
      ["serve", "--processes", "0"],
      /a whole number from 1 to 256/,
    ],
  ] as const)
    it(`says what is wrong with ${what}`, async () => {
      const { code, stderr } = await cliOn(folder, env)(...args);
      expect(code).to.not.equal(0);
      expect(stderr).to.match(message).and.not.contain("    at ");
    });

  it("exits with 1 and a single line without a browser, without a file store, and when its port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const starts = [
      [
        { PUPPETEER_EXECUTABLE_PATH: "/nowhere/chromium" },
        [],
        "/nowhere/chromium",
      ],
      [
        { PLATEN_FILE_STORE: "tape://drive" },
        ["--processes", "2"],
        "PLATEN_FILE_STORE begins with",
      ],
      [{ PLATEN_PORT: port }, [], `:${port}: another program uses it.`],
    ] as const;
    for (const [index, [env, options, message]] of starts.entries()) {
      const PLATEN_DATA = join(folder, String(index));
      const all = { PLATEN_DATA, ...env };
      const { ended } = startServiceProcess(all, "start", ...options);
      const { code, stderr } = await ended;
      expect(code).to.equal(1);
      expect(stderr)
        .to.match(/^platen: .*\n$/)
        .and.contain(message);
    }
    other.close();
  });
});

describe("a service in processes of its own", () => {
  const folder = join(suiteFolder(), "data");
  const start = (...options: string[]) =>
    startServiceProcess(
      { PLATEN_DATA: folder, PLATEN_DEMO: "on" },
      "start",
      ...options,
    );
  let url = "";
  let caller: Requests;
  let invoice: object;
  let key = "";
  const readDemo = (name: string) => readFile(join(folder, name), "utf8");
  /** @returns the document's id */
  const render = async (body: object = invoice) => {
    const { headers } = await caller.post("/api/export", body);
    return headers.get("x-document-id") ?? "";
  };

  /** Each request has a connection of its own, and members get connections in turn. */
  const renderAll = async () => {
    const body = { ...invoice, formats: ["html"] };
    const all = Array.from({ length: 20 }, () =>
      caller.post("/api/export", body),
    );
    return new Set((await Promise.all(all)).map(({ status }) => status));
  };
  const renderInline = async (fileName: string) => {
    const body = { definition: { ...definition, fileName } };
    const data = { name: "Ada" };
    const id = await render({ ...body, data, formats: ["html"] });
    const { templateId } = await replies.document(
      await caller.get(`/api/documents/${id}`),
    );
    return templateId;
  };

  it("creates a demo at its first start, with a key in a private file, which is shown once, and working requests", async () => {
    const service = start();
    url = await service.url;
    key = (await readDemo("demo-key.txt")).trim();
    caller = requestsTo(() => url, key);
    invoice = JSON.parse(await readDemo("demo-invoice.json"));
    const contract: object = JSON.parse(await readDemo("demo-contract.json"));
    const keyFile = await stat(join(folder, "demo-key.txt"));
    expect(keyFile.mode & 0o777).to.equal(0o600);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    const { status, headers } = await caller.post("/api/export", invoice);
    expect(status).to.equal(200);
    expect(headers.get("x-render-warnings")).to.equal("0");
    const signed = await caller.post("/api/export", contract);
    const [link = ""] =
      /http[^"]*\/esign\/[^"]*/.exec(await signed.text()) ?? [];
    expect((await download(link)).toString()).to.contain("Sign the document");
    const { code, stderr } = await service.end("SIGTERM");
    expect(code).to.equal(0);
    expect(stderr).to.contain(`${url}/api/export -H 'x-api-key: ${key}'`);
  });

  it("answers at one address with several, replaces one that was killed, and ends with all of them", async () => {
    const service = start("--processes", "2");
    url = await service.url;
    expect((await readDemo("demo-key.txt")).trim()).to.equal(key);
    expect(await findMembers(service)).to.have.length(2);
    expect(await renderAll()).to.eql(new Set([200]));
    const [killed = 0] = await findMembers(service);
    process.kill(killed, "SIGKILL");
    await until("there is another one", async () => {
      const now = await findMembers(service);
      return now.length === 2 && !now.includes(killed);
    });
    const messages = service.log.map(({ msg }) => msg);
    expect(messages.join("\n")).to.include("another one is started");
    expect(await renderAll()).to.eql(new Set([200]));
    const tree = await getTree(service.pid);
    expect(await service.end("SIGTERM")).to.deep.equal({ code: 0, stderr: "" });
    expect(await living(tree)).to.eql([]);
  });

  it("leaves no process and no folder after a SIGTERM during its start", async () => {
    const service = start();
    const tree = await until("a browser runs", async () => {
      const processes = await getTree(service.pid);
      return processes.length > 3 && processes;
    });
    expect((await service.end("SIGTERM")).code).to.equal(0);
    expect(await living(tree)).to.deep.equal([]);
    expect(await profileFolders(service.pid)).to.deep.equal([]);
  });

  describe("that is killed with -9 during renders", () => {
    const answered: string[] = [];
    /** The templates of definitions in requests, by their names of files. */
    const inline = new Map<string, string>();
    const names = Array.from({ length: 40 }, (_, index) => `File ${index}`);
    let killed: number[];
    let service: ServiceProcess;
    /** One after the other, until nobody answers. */
    const renderOn = async () => {
      try {
        for (;;) answered.push(await render());
      } catch {
        // It was killed.
      }
    };

    before(async () => {
      const first = start("--processes", "2");
      url = await first.url;
      killed = await getTree(first.pid);
      const renders = [
        ...[1, 2, 3].map(renderOn),
        ...names.map((name) =>
          renderInline(name)
            .then((id) => inline.set(name, id))
            .catch(() => null),
        ),
      ];
      await until(
        "some are rendered",
        () => answered.length > 0 && inline.size > 3,
      );
      await Promise.all([first.end("SIGKILL"), ...renders]);
      await until("no process is left", () => isOver(killed));
      service = start();
      url = await service.url;
    });

    it("leaves each document with its complete file, and nothing in part", async () => {
      const list = await caller.get("/api/documents?pageSize=100");
      const { data } = await replies.documents(list);
      expect(data.map(({ id }) => id)).to.include.members(answered);
      for (const { status, outputs } of data) {
        expect(status).to.equal("succeeded");
        if (!outputs[0]) continue;
        const { pathname, search } = new URL(outputs[0].url);
        const bytes = await download(url + pathname + search);
        const digest = createHash("sha256").update(bytes).digest("hex");
        expect(outputs[0].checksum).to.equal(`sha256:${digest}`);
      }
      expect(await readdir(join(folder, "files", ".tmp"))).to.deep.equal([]);
      expect(killed.length).to.be.greaterThan(8);
      expect(await findProfiles(killed)).to.deep.equal([]);
    });

    it("leaves templates that the next requests use and a sweep deletes, and its successor ends without a trace", async () => {
      for (const name of names) {
        const id = await renderInline(name);
        expect(id).to.equal(inline.get(name) ?? id);
      }
      expect(await render()).to.match(/^doc_/);
      const tree = await getTree(service.pid);
      expect(tree.length).to.be.greaterThan(4);
      expect(await findProfiles(tree)).to.have.lengthOf(1);
      expect((await service.end("SIGTERM")).code).to.equal(0);
      expect(await living(tree)).to.deep.equal([]);
      expect(await findProfiles(tree)).to.deep.equal([]);

      const store = await openStore({
        database: { kind: "sqlite", file: join(folder, "platen.sqlite") },
        migrate: false,
        log: silentLog,
      });
      try {
        await store.unitOfWork.run((tx) =>
          tx.query("UPDATE document SET purge_at = NULL"),
        );
        const templates = new InlineTemplates(store, new Compute());
        const later = new Date("2040-01-01T00:00:00Z");
        expect(await templates.sweep(later)).to.equal(names.length);
        const left = (await store.read.find(Template)).filter(
          ({ inlineHash }) => inlineHash !== null,
        );
        expect(left).to.have.length(names.length);
        for (const template of left) {
          expect(template.definition).to.eql({ schema: [], components: [] });
          expect(template.trashedAt).not.to.equal(null);
        }
      } finally {
        await store.close();
      }
    });
  });
});
