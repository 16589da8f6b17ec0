import { resolve } from "node:path";
import { z } from "zod";
import { durations } from "../duration.js";
import { type Variable, whole } from "../variable.js";

/** Packages by name; folders by a path that begins with `/` or `.`. */
const plugins = z
  .string()
  .prefault("")
  .transform((text) => text.split(",").map((word) => word.trim()))
  .transform((words) => words.filter((word) => word !== ""))
  .pipe(z.array(z.string().regex(/^([./].*|(@[\w.-]+\/)?[\w-][\w.-]*)$/)));

const folder = z
  .string()
  .transform((path) => resolve(path))
  .optional()
  .transform((path) => path ?? null);

/** What is installed beside the plugins that ship, and how their calls are paced. */
export const pluginVariables = {
  PLATEN_PLUGINS: {
    schema: plugins,
    expected: "names of packages and paths of folders, with commas",
    example: "platen-plugin-directus,/opt/platen-plugins/warehouse",
  },
  PLATEN_PLUGIN_FOLDER: {
    schema: folder,
    expected: "a folder that holds a folder for each plugin",
    example: "/opt/platen-plugins",
  },
  PLATEN_PLATFORM_PROCESSES: {
    schema: whole(1, 1, 1000),
    expected: "how many processes share the platforms' limits, 1 to 1000",
    example: "2",
  },
  PLATEN_WRITE_BACK_DELAYS: {
    schema: durations("5s,30s,2m,10m,30m"),
    expected: "durations with commas, one before each retry of a write-back",
    example: "5s,30s,2m,10m,30m",
  },
} satisfies Record<string, Variable<unknown>>;
