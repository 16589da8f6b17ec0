import { deepEqual, equal, ok } from "node:assert/strict";
import type { PlatformPlugin, WriteMode } from "../../core/plugin-api/index.js";
import {
  type PlatformCheck,
  type PlatformSession,
  type Cell,
  createFile,
} from "./platform-session.js";
import { assertRejects } from "./suite-context.js";

function writesFiles(plugin: PlatformPlugin<never>): boolean {
  return plugin.writeBack !== undefined;
}

/** Whether what was written can be read back. */
export function canReadBack(plugin: PlatformPlugin<never>): boolean {
  return writesFiles(plugin) && plugin.capabilities.readBack;
}

function supportsMode(mode: WriteMode) {
  return (plugin: PlatformPlugin<never>) =>
    canReadBack(plugin) && plugin.capabilities.modes.includes(mode);
}

const filenames = Array.from({ length: 8 }, (_, index) => `file-${index}.txt`);

/** How the plugin writes files to cells. */
export const writingChecks: readonly PlatformCheck[] = [
  {
    title: "append keeps the files of the cell",
    appliesTo: supportsMode("append"),
    run: async (session) => {
      const cell = await session.createEmptyCell();
      deepEqual(
        await session.host.read(cell),
        [],
        "readAttachments must return nothing for an empty cell",
      );
      for (const name of ["one.txt", "two.txt"])
        await session.host.write(cell, [createFile(name)], "append");
      await assertFiles(session, cell, ["one.txt", "two.txt"]);
    },
  },
  {
    title: "replace leaves only the new files",
    appliesTo: supportsMode("replace"),
    run: async (session) => {
      const cell = await session.createEmptyCell();
      await session.host.write(cell, [createFile("old.txt")], "replace");
      const files = [createFile("new.txt"), createFile("and more.txt")];
      await session.host.write(cell, files, "replace");
      await assertFiles(session, cell, ["new.txt", "and more.txt"]);
    },
  },
  {
    title: "a file is stored unchanged",
    appliesTo: writesFiles,
    run: async (session) => {
      const cell = await session.createEmptyCell();
      const file = createFile("Rechnung Nr. 7 (ä).txt");
      const [mode = "append"] = session.plugin.capabilities.modes;
      const [written] = await session.host.write(cell, [file], mode);
      ok(
        written?.remoteId,
        "writeBack must return the written files, each with its remoteId",
      );
      const { attachments } = session.fixture;
      if (attachments?.bytesOf)
        deepEqual(
          Buffer.from(await attachments.bytesOf(written)),
          Buffer.from(await file.bytes()),
          "the platform must return the same bytes that writeBack received",
        );
    },
  },
  {
    title: "writing to a field that does not accept files changes nothing",
    appliesTo: writesFiles,
    run: async (session) => {
      const { scope, textFieldId } = session.fixture;
      const { recordId } = await session.createEmptyCell();
      const before = await session.host.fetchRows(scope, [recordId]);
      const cell = { scope, recordId, fieldId: textFieldId };
      await assertRejects(
        session,
        ["invalid_field", "unsupported"],
        `writeBack to ${textFieldId}`,
        () => session.host.write(cell, [createFile("no.txt")], "append"),
      );
      deepEqual(
        await session.host.fetchRows(scope, [recordId]),
        before,
        `writeBack to ${textFieldId} was rejected, but has changed the row. Check the field before the write.`,
      );
    },
  },
  {
    title: "writing to an unknown row is not_found",
    appliesTo: writesFiles,
    run: async (session) => {
      const { scope, unknownRecordId: recordId } = session.fixture;
      const { fieldId } = await session.createEmptyCell();
      await assertRejects(
        session,
        ["not_found"],
        "writeBack to an unknown row",
        () =>
          session.host.write(
            { scope, recordId, fieldId },
            [createFile("no.txt")],
            "append",
          ),
      );
    },
  },
  {
    title: "parallel writes to one cell keep all files",
    appliesTo: supportsMode("append"),
    run: async (session) => {
      const { host } = session;
      const cell = await session.createEmptyCell();
      await Promise.all(
        filenames.map((name) => host.write(cell, [createFile(name)], "append")),
      );
      equal(
        (await host.read(cell)).length,
        filenames.length,
        `after ${filenames.length} parallel writes, the cell must contain all files`,
      );
    },
  },
  {
    title: "parallel writes to several rows are independent",
    appliesTo: supportsMode("append"),
    run: async (session) => {
      const { host } = session;
      const cells = await Promise.all(
        filenames.slice(0, 4).map(() => session.createEmptyCell()),
      );
      await Promise.all(
        cells.map((cell, index) =>
          host.write(cell, [createFile(`row-${index}.txt`)], "append"),
        ),
      );
      const contents = await Promise.all(cells.map((cell) => host.read(cell)));
      deepEqual(
        contents.map(({ length }) => length),
        cells.map(() => 1),
        "after one write to each of several rows, each cell must contain one file",
      );
    },
  },
];

/** Compares the names, or only the number of files for a platform that renames them. */
async function assertFiles<C>(
  { host, plugin }: PlatformSession<C>,
  cell: Cell,
  names: readonly string[],
): Promise<void> {
  const found = (await host.read(cell)).map(({ filename }) => filename);
  const { keepsFilename } = plugin.capabilities;
  deepEqual(
    keepsFilename ? found.toSorted() : found.length,
    keepsFilename ? names.toSorted() : names.length,
    `the cell must contain ${names.join(" and ")}, but contains ${found.join(" and ") || "nothing"}`,
  );
}
