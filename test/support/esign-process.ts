import { spawn } from "node:child_process";
import { once } from "node:events";
import { after } from "mocha";
import type { EsignProcessOptions } from "./esign-process-main.js";
import { partArguments } from "./program-arguments.js";

/** A process that starts and watches requests; killed at the suite's end. */
export interface EsignProcess {
  /** Once it works. */
  ready: Promise<unknown>;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
}

export function startEsignProcess(options: EsignProcessOptions): EsignProcess {
  const args = [
    ...partArguments("esign-process-main"),
    JSON.stringify(options),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  after(kill);
  // Its only word.
  return { ready: once(child.stdout, "data"), kill };
}
