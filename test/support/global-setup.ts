import { prepareBrowserHome } from "../../core/render/index.js";
import { RENDER_CACHE } from "./renderer.js";

/** Before the workers of a parallel run begin: each would unpack the browser for itself, all at the same time. */
export async function mochaGlobalSetup(): Promise<void> {
  await prepareBrowserHome(RENDER_CACHE);
}
