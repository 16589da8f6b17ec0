import { installBrowser } from "../../core/rendering/index.js";
import { installGenerators } from "./generators.js";
import { dropDatabases } from "./mysql-databases.js";
import { RENDER_CACHE } from "./renderer.js";

const progress = { isOver: false };

/**
 * Before the workers of a parallel run begin. Each would unpack the browser and install the generators for itself, all at
 * the same time. And mocha waits in vain for a worker that has ended between two files: without this the run would end early and as a success.
 */
export async function mochaGlobalSetup(): Promise<void> {
  process.exitCode = 1;
  process.once("exit", () => {
    if (!progress.isOver)
      console.error("The tests did not come to their end: a worker has died.");
  });
  await Promise.all([installBrowser(RENDER_CACHE), installGenerators()]);
}

/** From here on mocha says how the process ends. */
export async function mochaGlobalTeardown(): Promise<void> {
  await dropDatabases();
  progress.isOver = true;
}
