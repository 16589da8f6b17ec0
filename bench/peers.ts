import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Running } from "./scenario.js";
import { ApiClient } from "./service.js";

// Other programs that make the same invoice, each from a template of its own kind in its folder of bench/peers. They
// have packages of their own, which only a bench ever installs.

type Peer = "carbone" | "jsreport" | "pdfmake" | "typst";

function getFolder(peer: Peer): string {
  return fileURLToPath(new URL(`peers/${peer}/`, import.meta.url));
}

async function install(peer: Peer): Promise<void> {
  const folder = getFolder(peer);
  if (existsSync(`${folder}node_modules`)) return;
  const npm = spawn("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
  });
  const [code] = await once(npm, "exit");
  if (code !== 0) throw new Error(`${peer} cannot be installed.`);
}

/** PDFs by a library that needs no browser, in as many processes as there are cores. */
export async function startMakers(
  peer: "pdfmake" | "typst",
  record: object,
): Promise<Running> {
  await install(peer);
  const makers = Array.from({ length: availableParallelism() }, () =>
    fork(`${getFolder(peer)}maker.mjs`),
  );
  return {
    scenarios: [
      {
        name: peer,
        concurrency: makers.length,
        roots: makers.map(({ pid }) => pid ?? 0),
        runOnce: (worker) => make(makers[worker], record),
      },
    ],
    stop: async () => {
      for (const maker of makers) maker.kill();
    },
  };
}

async function make(
  maker: ChildProcess | undefined,
  record: object,
): Promise<void> {
  if (!maker) throw new RangeError("there is no such process");
  const made = once(maker, "message");
  maker.send(record);
  await made;
}

/** Html from a jsreport server, by sixteen callers. */
export async function startJsreport(
  name: string,
  record: object,
): Promise<Running> {
  await install("jsreport");
  const { prepare } = await importPeer("prepare.mjs");
  const server = fork(`${getFolder("jsreport")}server.mjs`);
  const [port] = await Promise.race([
    once(server, "message"),
    once(server, "exit").then(() => {
      throw new Error("jsreport did not start.");
    }),
  ]);
  const client = new ApiClient(`http://127.0.0.1:${port}`, "");
  return {
    scenarios: [
      {
        name,
        concurrency: 16,
        roots: [server.pid ?? 0],
        share: 4,
        runOnce: async () => {
          const template = { name: "invoice" };
          const data = prepare(record);
          await client.post("/api/report", { template, data });
        },
      },
    ],
    stop: async () => {
      client.close();
      server.kill();
    },
  };
}

/** Carbone's merge of the invoice into html, in this process. */
export async function loadCarbone(): Promise<
  (record: unknown) => Promise<string>
> {
  await install("carbone");
  return (await importPeer("carbone/merge.mjs")).merge;
}

function importPeer(path: string) {
  return import(new URL(`peers/${path}`, import.meta.url).href);
}
