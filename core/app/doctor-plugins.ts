import type { Finding } from "../cli/services.js";
import type { DoctorContext } from "./doctor.js";
import { packageInfo } from "../lib/package-info.js";
import * as t from "./tokens.js";

const check = "plugins";

/** Whether all that is installed can be loaded. */
export async function checkPlugins({
  config,
  log,
}: DoctorContext): Promise<Finding[]> {
  const [{ createEmptyContainer }, { joinPlugins }] = await Promise.all([
    import("../lib/injection.js"),
    import("./join-plugins.js"),
  ]);
  const container = createEmptyContainer();
  container.register(t.CONFIG, { useValue: config });
  container.register(t.LOG, { useValue: log });
  container.register(t.PACKAGE, { useValue: packageInfo() });
  joinPlugins(container);
  const all = await container.resolve(t.PLUGINS).list();
  const ready = all.filter(({ state }) => state === "ready");
  return [
    {
      check,
      state: "ok",
      message: ready.map(({ id }) => id).join(", ") || "none",
      fix: null,
    },
    ...all
      .filter(({ state }) => state === "broken")
      .map(({ id, source, reason }) => ({
        check,
        state: "fail" as const,
        message: `${id} (${source}): ${reason ?? "does not work"}`,
        fix: null,
      })),
  ];
}
