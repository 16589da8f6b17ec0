// @ts-check
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const usual = 100;
const refused = {
  errors: [{ message: "You don't have permission to access this." }],
};

/** @param {string} collection @param {string} field @param {string} type @param {object | null} [schema] */
function column(collection, field, type, schema = {}) {
  return { collection, field, type, schema };
}

const fields = [
  column("invoices", "id", "integer", { is_primary_key: true }),
  column("invoices", "number", "string"),
  column("invoices", "lines", "alias", null),
  column("invoices", "papers", "alias", null),
  column("lines", "id", "integer", { is_primary_key: true }),
  column("lines", "invoice", "integer"),
  column("invoices_files", "id", "integer", { is_primary_key: true }),
  column("invoices_files", "invoices_id", "integer"),
];
const relations = [
  {
    collection: "lines",
    field: "invoice",
    related_collection: "invoices",
    meta: { one_field: "lines" },
  },
  {
    collection: "invoices_files",
    field: "invoices_id",
    related_collection: "invoices",
    meta: { one_field: "papers", junction_field: "directus_files_id" },
  },
];

/** As much of Directus as the plugin meets: lists cut at 100, 403 for what is not there, files by junction rows. */
export class FakeDirectus {
  token = "right";
  /** @type {Map<string, any>} */
  invoices = new Map();
  /** @type {Map<string, any>} */
  files = new Map();
  #made = 0;
  #server = createServer((request, response) => {
    void this.#serve(request, response);
  });

  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
  }

  /** @param {number} lineCount */
  addInvoice(lineCount) {
    const id = (this.#made += 1);
    const lines = Array.from({ length: lineCount }, () => ({
      id: (this.#made += 1),
    }));
    this.invoices.set(String(id), { id, number: `R-${id}`, lines, papers: [] });
    return String(id);
  }

  async close() {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async #serve(request, response) {
    const url = new URL(request.url ?? "/", "http://directus");
    const body = await text(request);
    const isKnown = request.headers.authorization === `Bearer ${this.token}`;
    const [status, answer] = isKnown
      ? this.#answer(request.method ?? "", url, body)
      : [401, { errors: [{ message: "Invalid user credentials." }] }];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  }

  /**
   * @param {string} method
   * @param {URL} url
   * @param {string} body
   * @returns {[number, unknown]}
   */
  #answer(method, url, body) {
    const [, room, collection, id] = url.pathname.split("/");
    if (room === "users") return [200, { data: { email: "ada@example.com" } }];
    if (room === "fields") return [200, { data: fields }];
    if (room === "relations") return [200, { data: relations }];
    if (room === "collections")
      return [
        200,
        {
          data: [...new Set(fields.map((one) => one.collection))].map(
            (name) => ({ collection: name }),
          ),
        },
      ];
    if (room === "files") return [200, { data: this.#addFile(body) }];
    if (room !== "items" || collection !== "invoices") return [403, refused];
    if (method === "GET") return [200, { data: this.#list(url.searchParams) }];
    return this.#change(id ?? "", JSON.parse(body));
  }

  /** @param {string} form */
  #addFile(form) {
    const id = `f-${(this.#made += 1)}`;
    const filename_download = /filename="([^"]*)"/.exec(form)?.[1] ?? "";
    const file = { id, filename_download, filesize: String(form.length) };
    this.files.set(id, file);
    return file;
  }

  /** @param {URLSearchParams} query */
  #list(query) {
    const { id } = JSON.parse(query.get("filter") ?? "{}");
    const deep = JSON.parse(query.get("deep") ?? "{}");
    const cut = (/** @type {string} */ name, /** @type {any[]} */ list) =>
      deep[name]?.["_limit"] === -1 ? list : list.slice(0, usual);
    return id["_in"]
      .flatMap((/** @type {string} */ one) => this.invoices.get(one) ?? [])
      .map((/** @type {any} */ row) => ({
        ...row,
        lines: cut("lines", row.lines),
        papers: cut("papers", row.papers),
      }));
  }

  /**
   * @param {string} id
   * @param {any} change
   * @returns {[number, unknown]}
   */
  #change(id, { papers }) {
    const row = this.invoices.get(id);
    if (!row) return [403, refused];
    const kept = row.papers.filter(
      (/** @type {any} */ one) => !papers.delete.includes(one.id),
    );
    const added = papers.create.map(
      (/** @type {any} */ { directus_files_id }) => ({
        id: (this.#made += 1),
        directus_files_id: this.files.get(directus_files_id),
      }),
    );
    row.papers = [...kept, ...added];
    return [200, { data: row }];
  }
}
