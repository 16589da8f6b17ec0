import { deepEqual, equal, ok } from "node:assert/strict";
import {
  readsBack,
  refuses,
  type SessionCheck,
  writesFiles,
} from "../check.js";
import { fileNamed } from "../file.js";
import type { Session } from "../session.js";
import type { Cell } from "../suite-host.js";

async function namesIn<C>({ host }: Session<C>, cell: Cell): Promise<string[]> {
  const held = await host.read(cell);
  return held.map(({ filename }) => filename).toSorted();
}

/** What the cell must name, of platforms that rename files only how many there are. */
async function holds<C>(
  session: Session<C>,
  cell: Cell,
  names: readonly string[],
): Promise<void> {
  const held = await namesIn(session, cell);
  if (session.plugin.capabilities.keepsFilename)
    deepEqual(held, names.toSorted());
  else equal(held.length, names.length);
}

export const writingChecks: readonly SessionCheck[] = [
  {
    title: "append keeps what the cell holds",
    appliesTo: (plugin) =>
      readsBack(plugin) && plugin.capabilities.modes.includes("append"),
    run: async (session) => {
      const cell = await session.emptyCell();
      deepEqual(await session.host.read(cell), [], "a fresh cell is empty");
      for (const name of ["one.txt", "two.txt"])
        await session.host.write(cell, [fileNamed(name)], "append");
      await holds(session, cell, ["one.txt", "two.txt"]);
    },
  },
  {
    title: "replace leaves the new files alone",
    appliesTo: (plugin) =>
      readsBack(plugin) && plugin.capabilities.modes.includes("replace"),
    run: async (session) => {
      const cell = await session.emptyCell();
      await session.host.write(cell, [fileNamed("old.txt")], "replace");
      const files = [fileNamed("new.txt"), fileNamed("and more.txt")];
      await session.host.write(cell, files, "replace");
      await holds(session, cell, ["new.txt", "and more.txt"]);
    },
  },
  {
    title: "a file comes back as it was written",
    appliesTo: writesFiles,
    run: async (session) => {
      const cell = await session.emptyCell();
      const file = fileNamed("Rechnung Nr. 7 (ä).txt");
      const [mode = "append"] = session.plugin.capabilities.modes;
      const [written] = await session.host.write(cell, [file], mode);
      ok(written?.remoteId, "writeBack must say what the cell holds of them");
      const { attachments } = session.fixture;
      if (attachments?.bytesOf)
        deepEqual(
          Buffer.from(await attachments.bytesOf(written)),
          Buffer.from(await file.bytes()),
        );
    },
  },
  {
    title:
      "writing to a field that takes no file is refused, and changes nothing",
    appliesTo: writesFiles,
    run: async (session) => {
      const { scope, textFieldId } = session.fixture;
      const { recordId } = await session.emptyCell();
      const before = await session.host.fetchRows(scope, [recordId]);
      const cell = { scope, recordId, fieldId: textFieldId };
      const codes = ["invalid_field", "unsupported"] as const;
      await refuses(session, codes, "writeBack", () =>
        session.host.write(cell, [fileNamed("no.txt")], "append"),
      );
      deepEqual(await session.host.fetchRows(scope, [recordId]), before);
    },
  },
  {
    title: "writing to a row that is not there is not_found",
    appliesTo: writesFiles,
    run: async (session) => {
      const { scope, unknownRecordId } = session.fixture;
      const { fieldId } = await session.emptyCell();
      const cell = { scope, recordId: unknownRecordId, fieldId };
      await refuses(session, ["not_found"], "writeBack", () =>
        session.host.write(cell, [fileNamed("no.txt")], "append"),
      );
    },
  },
];
