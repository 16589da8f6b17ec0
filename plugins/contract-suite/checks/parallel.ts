import { deepEqual, equal } from "node:assert/strict";
import { readsBack, type SessionCheck } from "../check.js";
import { fileNamed } from "../file.js";

const appends: SessionCheck["appliesTo"] = (plugin) =>
  readsBack(plugin) && plugin.capabilities.modes.includes("append");
const files = Array.from({ length: 8 }, (_, index) => `file-${index}.txt`);

export const parallelChecks: readonly SessionCheck[] = [
  {
    title: "parallel write-backs to one cell lose nothing",
    appliesTo: appends,
    run: async (session) => {
      const { host } = session;
      const cell = await session.emptyCell();
      await Promise.all(
        files.map((name) => host.write(cell, [fileNamed(name)], "append")),
      );
      equal((await host.read(cell)).length, files.length);
    },
  },
  {
    title: "parallel write-backs to several rows do not meet",
    appliesTo: appends,
    run: async (session) => {
      const { host } = session;
      const cells = await Promise.all(
        files.slice(0, 4).map(() => session.emptyCell()),
      );
      await Promise.all(
        cells.map((cell, index) =>
          host.write(cell, [fileNamed(`row-${index}.txt`)], "append"),
        ),
      );
      const held = await Promise.all(cells.map((cell) => host.read(cell)));
      deepEqual(
        held.map(({ length }) => length),
        cells.map(() => 1),
      );
    },
  },
];
