import type { Renderer } from "../../core/rendering/index.js";

/** Whether this process runs one file of tests after the other, and has no end that a test could wait for. */
export const isTestWorker = process.env.MOCHA_WORKER_ID !== undefined;

const running: Renderer[] = [];

/** Has it stopped when all tests of the run have ended; in a worker of a parallel run, all tests of the file. */
export function stopAtEnd(renderer: Renderer): void {
  running.push(renderer);
}

export async function stopRenderers(): Promise<void> {
  await Promise.all(running.splice(0).map((renderer) => renderer.stop()));
}
