import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import {
  clock,
  type FileReadRequest,
  type FileTable,
  PlatenError,
  PlatformError,
  type PlatformPlugin,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import type { WorkerAnswer } from "./reader-worker.js";
import { createFileError } from "./table-source.js";

const timeoutMs = 60_000;
const memoryMb = 512;
/** Files that wait; more are refused. */
const maxWaiting = 20;
const atOnce = pLimit(2);

/**
 * Tables in files that people upload: CSV, XLSX, ODS, JSON and JSON Lines. It needs no connection, because the files come
 * with the request.
 */
export const filePlugin: PlatformPlugin = {
  meta: createMeta("platform", "file", "Spreadsheet file"),
  credentials: {
    schema: {
      type: "object",
      properties: {},
      additionalProperties: false,
      translations: {
        de: { title: "Tabellendatei" },
        es: { title: "Archivo de hoja de cálculo" },
        fr: { title: "Fichier de tableur" },
      },
    },
  },
  capabilities: {
    links: false,
    attachments: "none",
    modes: [],
    maxFileBytes: 0,
    maxIdsPerFetch: 1,
    keepsFilename: false,
    readBack: false,
    files: true,
  },
  rate: { key: () => "file", maxInFlight: 1 },
  check: () => Promise.reject(createConnectionError()),
  describe: () => Promise.reject(createConnectionError()),
  fetchRows: () => Promise.reject(createConnectionError()),
  files: {
    async read(request) {
      if (atOnce.pendingCount >= maxWaiting)
        throw createFileError(
          "busy",
          "Too many files are being read. Try again in a moment.",
        );
      return atOnce(() => readInThread(request));
    },
  },
};

function createConnectionError(): PlatformError {
  return new PlatformError(
    "unsupported",
    "Files need no connection. Send the file to POST /api/export/batch/file.",
  );
}

/** A thread for each file: what it holds is freed with it, and a file that takes too much ends nothing else. */
function readInThread(request: FileReadRequest): Promise<FileTable> {
  const ending = import.meta.url.slice(-3);
  const worker = new Worker(
    new URL(`./reader-worker${ending}`, import.meta.url),
    { resourceLimits: { maxOldGenerationSizeMb: memoryMb } },
  );
  const done = new Promise<FileTable>((resolve, reject) => {
    const timer = clock.limit(timeoutMs, () =>
      reject(
        createFileError(
          "too_slow",
          `The file took longer than ${timeoutMs / 1000} s to read. Split it, or save the sheet as CSV.`,
        ),
      ),
    );
    worker.once("exit", () => {
      timer.cancel();
      reject(createFileError("unreadable", "The file could not be read."));
    });
    worker.once("error", (error) => reject(describeCrash(error)));
    worker.once("message", (answer: WorkerAnswer) => {
      if ("table" in answer) resolve(answer.table);
      else if ("error" in answer) {
        const { code, message, problems } = answer.error;
        reject(new PlatenError(code, message, { problems }));
      } else reject(describeCrash(answer.fault));
    });
    worker.postMessage(request, []);
  });
  return done.finally(() => void worker.terminate());
}

function describeCrash(cause: unknown): PlatenError {
  const isMemory =
    cause instanceof Error &&
    "code" in cause &&
    cause.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory
    ? createFileError(
        "too_large",
        `The file needs more than ${memoryMb} MB of memory to be read. Split it, or save the sheet as CSV.`,
      )
    : createFileError("unreadable", "The file could not be read.", {}, cause);
}
