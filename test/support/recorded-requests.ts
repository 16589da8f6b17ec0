import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { expect } from "chai";
import { operator, SCOPES } from "../../core/accounts/index.js";
import type { DatabaseLocation } from "../../core/storage/database/index.js";
import { getKeys, newCaller, type TestCaller } from "./caller.js";
import { useFixedTime } from "./clock.js";
import { until } from "./eventually.js";
import { type TestService, useService } from "./service.js";
import { anyDatabase } from "./store.js";
import { newVisitor } from "./studio.js";

// Each file of a folder holds requests of a new organization, each with its answer:
//
//   ### title of a test, which continues what the tests before it did
//   POST /api/templates | as letter          its answer is $letter: $letter is its id, $letter.name a field, and
//   {"name": "Letter", …}                    $letter.document the document that its header names
//   201
//   {"id": "$letter", …}
//
//   GET /api/documents | show data.status, pagination.total | by stranger
//   200 {"data": [], …}
//
// Behind `|`: `show` leaves out other fields, `by stranger` is another organization, `by owner[templates:read]` a key with
// these scopes, `by editor` and `by viewer` people of the organization and `by outsider` the owner of another one in the
// studio, `by nobody` a request without a key, `until status=completed` repeats it, `with name: value` is a header.
// Ids that have no name and sizes are …, hashes are numbered, and of HTML the text is shown. Each request is sent a second
// after the one before it. UPDATE_GOLDEN=1 writes the answers anew; the diff shows what changed.

const headersShown = [
  "allow",
  "idempotency-replayed",
  "retry-after",
  "x-render-warnings",
];
const begin = new Date("2030-01-01T10:00:00Z");

interface Exchange {
  comments: string[];
  /** The first line. */
  line: string;
  body: string;
}

interface Section {
  title: string;
  text: string;
  exchanges: Exchange[];
}

function parseSections(recorded: string): Section[] {
  return recorded
    .split(/^(?=### )/m)
    .filter((text) => text.startsWith("### "))
    .map((text) => {
      const part = text.slice(4);
      const [title = "", ...rest] = part.split("\n");
      const blocks = rest.join("\n").split(/\n{2,}/);
      const exchanges = blocks.map((block) => {
        const lines = block.split("\n").filter((line) => line !== "");
        const comments = lines.filter((line) => line.startsWith("# "));
        const [line = "", ...others] = lines.slice(comments.length);
        const end = others.findIndex((one) => /^\d{3}( |$)/.test(one));
        const body = others.slice(0, end === -1 ? undefined : end).join("\n");
        return { comments, line, body };
      });
      return { title, text, exchanges: exchanges.filter(({ line }) => line) };
    });
}

/** As JSON, on one line if it is short. */
function write(value: unknown, indent = ""): string {
  const isObject = typeof value === "object" && value !== null;
  if (!isObject) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const join = (each: (one: unknown) => string, separator: string) =>
    entries
      .map(([name, one]) =>
        isList ? each(one) : `${JSON.stringify(name)}: ${each(one)}`,
      )
      .join(separator);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const short = `${open}${join((one) => write(one), ", ")}${close}`;
  if (!short.includes("\n") && indent.length + short.length <= 110)
    return short;
  const long = join((one) => write(one, inner), `,\n${inner}`);
  return `${open}\n${inner}${long}\n${indent}${close}`;
}

/** The fields at the paths, of each item where a path goes through a list. */
function pick(value: unknown, paths: readonly string[][]): unknown {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) return value.map((one) => pick(one, paths));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const below = paths.filter(([first]) => first === name);
      const rest = below.map((path) => path.slice(1));
      return below.length === 0 ? [] : [[name, pick(one, rest)]];
    }),
  );
}

function readField(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined,
    value,
  );
}

/** The text that a page shows, with its images by type or address, and the watermark of a test. */
function showText(html: string): string {
  const text = html
    .replace(/^.*<body[^>]*>/s, "")
    .replaceAll(/<style.*?<\/style>/gs, "")
    .replaceAll(/<img [^>]*?src="([^"]*)"[^>]*>/g, (_image, src: string) => {
      const [, type = src] = /^data:([^;,]*)/.exec(src) ?? [];
      return `[${type}]`;
    })
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return html.includes("TEST") ? `${text} [TEST]` : text;
}

const hashes = ["checksum", "definitionHash", "hash"];

class Conversation {
  readonly #answers = new Map<string, unknown>();
  readonly #names = new Map<string, string>();
  /** The number of each hash. */
  readonly #hashes = new Map<unknown, number>();

  constructor(
    private readonly service: TestService,
    private readonly by: (who: string) => Promise<Record<string, string>>,
    private readonly advance: () => void,
  ) {}

  name(value: string, name: string): void {
    if (!this.#names.has(value)) this.#names.set(value, name);
  }

  /** @returns the request and its answer, as they are recorded */
  async run({ comments, line, body }: Exchange): Promise<string> {
    const [request = "", ...more] = line.split(" | ");
    const option = (word: string) =>
      more
        .filter((one) => one.startsWith(`${word} `))
        .map((one) => one.slice(word.length + 1));
    const [method = "", path = ""] = this.#fill(request).split(" ");
    const headers = {
      ...(await this.by(option("by")[0] ?? "owner")),
      ...(body !== "" && { "content-type": "application/json" }),
      ...Object.fromEntries(option("with").map((one) => one.split(": "))),
    };
    const send = async () => {
      const sent = await fetch(this.service.url + path, {
        method,
        headers,
        ...(body !== "" && { body: this.#fill(body) }),
      });
      return { sent, text: await sent.text() };
    };
    this.advance();
    const [condition] = option("until");
    const [field = "", wanted] = condition?.split("=") ?? [];
    const { sent, text } = await until(line, async () => {
      const answer = await send();
      if (condition === undefined) return answer;
      const now = readField(JSON.parse(answer.text), field.split("."));
      return String(now) === wanted && answer;
    });
    const isJson = sent.headers.get("content-type")?.includes("json");
    const answer: unknown = isJson ? JSON.parse(text) : showText(text);
    for (const name of option("as")) this.#remember(name, answer, sent.headers);
    const shown = option("show").flatMap((one) => one.split(", "));
    return [
      ...comments,
      line,
      ...(body === "" ? [] : [body]),
      this.#show(sent, answer, shown),
    ].join("\n");
  }

  #remember(name: string, answer: unknown, headers: Headers): void {
    const document = headers.get("x-document-id");
    const own = typeof answer === "object" && answer !== null ? answer : {};
    this.#answers.set(name, { ...own, ...(document && { document }) });
    const id = readField(answer, ["id"]) ?? readField(answer, ["batchId"]);
    if (typeof id === "string") this.name(id, `$${name}`);
    if (document) this.name(document, `$${name}.document`);
  }

  #fill(text: string): string {
    return text.replaceAll(
      /\$([a-z]\w*)((?:\.\w+)*)/gi,
      (whole, name: string, path: string) => {
        const answer = this.#answers.get(name);
        if (answer === undefined) return whole;
        const names = path === "" ? ["id"] : path.slice(1).split(".");
        const value =
          readField(answer, names) ?? readField(answer, ["batchId"]);
        const isFound = typeof value === "string" || typeof value === "number";
        return isFound ? String(value) : whole;
      },
    );
  }

  #show(response: Response, answer: unknown, shown: readonly string[]): string {
    const { status, headers } = response;
    const first = [
      status,
      ...headersShown.flatMap((name) =>
        headers.has(name) ? [`(${name}: ${headers.get(name)})`] : [],
      ),
    ].join(" ");
    const error = readField(answer, ["error"]);
    if (typeof error === "string" && Object.keys(Object(answer)).length === 1)
      return this.#anonymize(`${first} ${error}`);
    const masked: unknown = JSON.parse(
      JSON.stringify(answer),
      (name, value: unknown) => this.#mask(name, value),
    );
    const paths = shown.map((path) => path.split("."));
    const body = write(paths.length > 0 ? pick(masked, paths) : masked);
    return this.#anonymize(`${first}${body.length < 100 ? " " : "\n"}${body}`);
  }

  #mask(name: string, value: unknown): unknown {
    if (name === "htmlDocument") return showText(String(value));
    if (name === "sizeBytes") return "…";
    if (!hashes.includes(name)) return value;
    const number = this.#hashes.get(value) ?? this.#hashes.size + 1;
    this.#hashes.set(value, number);
    return `#${number}`;
  }

  #anonymize(text: string): string {
    let result = text.replaceAll(this.service.url, "");
    for (const [value, name] of this.#names)
      result = result.replaceAll(value, name);
    return result
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
      .replaceAll(/[\w-]{40,}/g, "…");
  }
}

/** @returns the headers that say who sends a request */
async function logIn(
  service: TestService,
  { organizationId, key }: TestCaller,
  who: string,
): Promise<Record<string, string>> {
  if (who === "nobody") return {};
  if (who === "owner") return { "x-api-key": key };
  if (who === "stranger")
    return { "x-api-key": (await newCaller(service, SCOPES, "premium")).key };
  if (who === "editor" || who === "viewer" || who === "outsider") {
    const visitor =
      who === "outsider"
        ? await newVisitor(service)
        : await newVisitor(service, who, organizationId);
    return { cookie: visitor.cookie, "x-platen-app": "studio" };
  }
  const scopes = /^owner\[(.*)\]$/.exec(who)?.[1]?.split(",") ?? [];
  const request = { scopes, userId: undefined };
  const keys = getKeys(service);
  const limited = await keys.create(organizationId, request, operator);
  return { "x-api-key": limited.key };
}

/** Sends the requests in the folder's files, and compares the answers. */
export function testRecordedRequests(folder: URL): void {
  anyDatabase((_open, database) => {
    for (const file of readdirSync(folder))
      testFile(new URL(file, folder), database);
  });
}

function testFile(place: URL, database: DatabaseLocation): void {
  describe(`the requests of ${basename(place.pathname)}`, () => {
    const recorded = readFileSync(place, "utf8");
    const sections = parseSections(recorded);
    const [preface = ""] = recorded.split(/^### /m);
    const time = useFixedTime(begin);
    const service = useService({ config: { database } });
    const written: string[] = [];
    let conversation: Conversation;

    before(async () => {
      const owner = await newCaller(service, SCOPES, "premium");
      const callers = new Map<string, Record<string, string>>();
      const by = async (who: string) => {
        const known = callers.get(who) ?? (await logIn(service, owner, who));
        callers.set(who, known);
        return known;
      };
      conversation = new Conversation(service, by, () => time.advance(1000));
      conversation.name(owner.organizationId, "$organization");
      conversation.name(owner.userId, "$user");
    });
    after(() => {
      if (process.env["UPDATE_GOLDEN"])
        writeFileSync(place, preface + written.join(""));
    });

    for (const section of sections)
      it(section.title, async () => {
        const texts = [`### ${section.title}`];
        for (const exchange of section.exchanges)
          texts.push(await conversation.run(exchange));
        const isLast = section === sections.at(-1);
        const text = `${texts.join("\n\n")}\n${isLast ? "" : "\n"}`;
        written.push(text);
        if (!process.env["UPDATE_GOLDEN"]) expect(text).to.equal(section.text);
      });
  });
}
