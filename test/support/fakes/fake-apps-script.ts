import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createContext, runInContext } from "node:vm";
import {
  parentPort,
  receiveMessageOnPort,
  Worker,
  workerData,
  type MessagePort,
} from "node:worker_threads";
import { z } from "zod";

// Google Apps Script bound to a spreadsheet (developers.google.com/apps-script/reference). A script sees the services that
// are below and nothing else, so that any other name or method throws as an unknown one does there. `UrlFetchApp.fetch`
// refuses options that it does not have (…/reference/url-fetch/url-fetch-app#advanced-parameters) and methods that the scripts
// do not use, and demands `muteHttpExceptions`, without which answers from 400 on would throw.

/** What a person has in front of them when they choose an item of a menu. */
interface OpenSheet {
  spreadsheetId: string;
  name: string;
  rows: unknown[][];
  /** The first and last row of each selected range, from 1. */
  selection: [number, number][];
  hiddenRows: number[];
  /** What is entered into one dialog after the other; null cancels. */
  answers: (string | null)[];
}

/** What the person saw meanwhile. */
interface Seen {
  menu: { caption: string; functionName: string }[];
  prompts: string[];
  toasts: string[];
  alerts: string[];
}

const fetchOptions = z.strictObject({
  method: z.enum(["get", "post"]),
  headers: z.record(z.string(), z.string()),
  contentType: z.string().optional(),
  payload: z.string().optional(),
  muteHttpExceptions: z.literal(true),
});

interface FetchMessage {
  url: string;
  options: z.output<typeof fetchOptions>;
}

interface FetchReply {
  status: number;
  text: string;
  /** Of a connection that broke. */
  error?: string;
}

interface Task {
  code: string;
  functionName: string;
  sheet: OpenSheet;
  properties: Record<string, string>;
  /** Set once the reply to a request waits at the port. */
  signal: Int32Array;
}

interface Outcome {
  seen: Seen;
  properties: Record<string, string>;
  /** What the script threw. */
  error: string | undefined;
}

/** Each function runs in a thread of its own, because the calls of Apps Script are synchronous. The test's thread sends. */
export class FakeAppsScript {
  properties: Record<string, string> = {};
  /** How many further requests arrive, while their responses are lost. */
  lostResponses = 0;

  constructor(private readonly code: string) {}

  async run(functionName: string, sheet: Partial<OpenSheet>): Promise<Seen> {
    const signal = new Int32Array(new SharedArrayBuffer(4));
    const blank = { spreadsheetId: "s", name: "Sheet1", rows: [[]] };
    const task: Task = {
      code: this.code,
      functionName,
      sheet: { ...blank, selection: [], hiddenRows: [], answers: [], ...sheet },
      properties: this.properties,
      signal,
    };
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { appsScript: task },
    });
    let outcome: Outcome | undefined;
    while (!outcome) {
      const [message]: (Outcome | FetchMessage)[] = await once(
        worker,
        "message",
      );
      if (message && "url" in message) {
        const reply = await this.#fetch(message);
        worker.postMessage(reply, []);
        Atomics.store(signal, 0, 1);
        Atomics.notify(signal, 0);
      } else outcome = message;
    }
    await worker.terminate();
    if (outcome.error !== undefined) throw new Error(outcome.error);
    this.properties = outcome.properties;
    return outcome.seen;
  }

  async #fetch({ url, options }: FetchMessage): Promise<FetchReply> {
    const { method, headers, contentType, payload } = options;
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(contentType && { "content-type": contentType }),
      },
      body: payload ?? null,
    });
    const text = await response.text();
    if (this.lostResponses === 0) return { status: response.status, text };
    this.lostResponses -= 1;
    return { status: 0, text: "", error: `Address unavailable: ${url}` };
  }
}

/** The services of Google, of which the script sees nothing else. */
function createServices(
  { sheet, properties, signal }: Task,
  seen: Seen,
  port: MessagePort,
) {
  const { rows, selection, hiddenRows, answers } = sheet;
  const width = Math.max(1, ...rows.map((row) => row.length));
  const values = rows.map((row) =>
    Array.from({ length: width }, (_, at) => row[at] ?? ""),
  );
  const Button = { OK: "OK", CANCEL: "CANCEL", CLOSE: "CLOSE" };
  const ButtonSet = { OK: "OK", OK_CANCEL: "OK_CANCEL" };
  const createMenu = (title: string) => {
    const menu = {
      addItem(caption: string, functionName: string) {
        seen.menu.push({ caption: `${title} > ${caption}`, functionName });
        return menu;
      },
      addSeparator: () => menu,
      addToUi: () => undefined,
    };
    return menu;
  };
  const ui = {
    Button,
    ButtonSet,
    createMenu,
    alert(title: string, text: string, buttons: string) {
      seen.alerts.push(`${title}: ${text}`);
      return buttons === ButtonSet.OK ? Button.OK : Button.CLOSE;
    },
    prompt(title: string, text: string) {
      seen.prompts.push(`${title}: ${text}`);
      const answer = answers.shift() ?? null;
      return {
        getSelectedButton: () => (answer === null ? Button.CANCEL : Button.OK),
        getResponseText: () => answer ?? "",
      };
    },
  };
  const activeSheet = {
    getName: () => sheet.name,
    getDataRange: () => ({ getValues: () => structuredClone(values) }),
    getActiveRangeList: () =>
      selection.length === 0
        ? null
        : {
            getRanges: () =>
              selection.map(([first, last]) => ({
                getRow: () => first,
                getLastRow: () => last,
              })),
          },
    isRowHiddenByFilter: (row: number) => hiddenRows.includes(row),
  };
  const scriptProperties = {
    getProperty: (name: string) => properties[name] ?? null,
    getProperties: () => ({ ...properties }),
    setProperty(name: string, value: string) {
      properties[name] = value;
      return scriptProperties;
    },
  };
  return {
    SpreadsheetApp: {
      getUi: () => ui,
      getActiveSheet: () => activeSheet,
      getActiveSpreadsheet: () => ({
        getId: () => sheet.spreadsheetId,
        toast: (text: string, title: string) =>
          void seen.toasts.push(`${title}: ${text}`),
      }),
    },
    PropertiesService: { getScriptProperties: () => scriptProperties },
    Utilities: {
      getUuid: () => randomUUID(),
      // A hundredth of the time: nobody waits for Google here.
      sleep: (ms: number) =>
        void Atomics.wait(
          new Int32Array(new SharedArrayBuffer(4)),
          0,
          0,
          ms / 100,
        ),
    },
    UrlFetchApp: {
      fetch(url: string, options: object) {
        port.postMessage({ url, options: fetchOptions.parse({ ...options }) });
        Atomics.wait(signal, 0, 0);
        Atomics.store(signal, 0, 0);
        const reply: FetchReply = receiveMessageOnPort(port)?.message;
        if (reply.error) throw new Error(reply.error);
        return {
          getResponseCode: () => reply.status,
          getContentText: () => reply.text,
        };
      },
    },
  };
}

function runTask(task: Task, port: MessagePort): void {
  const seen: Seen = { menu: [], prompts: [], toasts: [], alerts: [] };
  let error: string | undefined;
  try {
    const context = createContext(createServices(task, seen, port));
    runInContext(task.code, context);
    runInContext(`${task.functionName}()`, context);
  } catch (thrown) {
    error = String(thrown);
  }
  const outcome: Outcome = { seen, properties: task.properties, error };
  port.postMessage(outcome);
}

if (parentPort && workerData?.appsScript)
  runTask(workerData.appsScript, parentPort);
