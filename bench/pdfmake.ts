import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Running } from "./scenario.js";

const FOLDER = fileURLToPath(new URL("pdfmake/", import.meta.url));

/** The same record by a library that needs no browser, in as many processes as there are cores. */
export async function pdfmake(record: object): Promise<Running> {
  await install();
  const makers = Array.from({ length: availableParallelism() }, () =>
    fork(`${FOLDER}maker.mjs`),
  );
  return {
    scenarios: [
      {
        name: "pdfmake",
        concurrency: makers.length,
        roots: makers.map(({ pid }) => pid ?? 0),
        makeOne: (worker) => make(makers[worker], record),
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

/** It is no part of the service, so it has packages of its own, which only a bench ever installs. */
async function install(): Promise<void> {
  if (existsSync(`${FOLDER}node_modules/pdfmake`)) return;
  const npm = spawn("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: FOLDER,
    stdio: ["ignore", 2, 2],
  });
  const [code] = await once(npm, "exit");
  if (code !== 0) throw new Error("pdfmake cannot be installed.");
}
