import { parentPort } from "node:worker_threads";
import {
  type FileReadRequest,
  type FileTable,
  PlatenError,
} from "../../core/plugin-api/index.js";
import {
  createFileError,
  readTable,
  type TableSource,
} from "./table-source.js";
import { openText, readBytes, readStart } from "./text-file.js";
import {
  Archive,
  createEncryptedError,
  OdsSource,
  XlsxSource,
} from "./workbook.js";

// A thread that reads one table of one file and ends.

export type WorkerAnswer =
  | { table: FileTable }
  | { error: Pick<PlatenError, "code" | "message" | "problems"> }
  | { fault: unknown };

parentPort?.once("message", (request: FileReadRequest) => {
  void answer(request).then((result) => parentPort?.postMessage(result, []));
});

async function answer(request: FileReadRequest): Promise<WorkerAnswer> {
  try {
    return { table: await readTable(await open(request), request) };
  } catch (error) {
    if (!(error instanceof PlatenError)) return { fault: error };
    const { code, message, problems } = error;
    return { error: { code, message, problems } };
  }
}

/** By the first bytes; the ending of a file's name may be wrong. */
async function open(request: FileReadRequest): Promise<TableSource> {
  const { fd } = request;
  const start = (await readStart(fd, 8)).toString("latin1");
  if (start.startsWith("PK")) {
    const archive = await Archive.open(fd);
    if (archive.has("xl/workbook.xml")) return XlsxSource.open(archive);
    if (archive.has("content.xml")) return OdsSource.open(archive);
    throw createFileError(
      "unknown_format",
      "The ZIP file is not a workbook. Send XLSX, ODS, CSV, JSON or JSON Lines, not packed.",
    );
  }
  // The container of encrypted workbooks, and of those before 2007.
  if (start.startsWith("\u00d0\u00cf\u0011\u00e0"))
    throw (await contains(fd, Buffer.from("EncryptedPackage", "utf16le")))
      ? createEncryptedError()
      : createFileError(
          "old_workbook",
          "Workbooks in the old Excel format (.xls) cannot be read. Save it as .xlsx.",
        );
  return openText(fd, request);
}

async function contains(fd: number, searched: Buffer): Promise<boolean> {
  let end = Buffer.alloc(0);
  for await (const chunk of readBytes(fd)) {
    const part = Buffer.concat([end, chunk]);
    if (part.includes(searched)) return true;
    end = part.subarray(-searched.length);
  }
  return false;
}
