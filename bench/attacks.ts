import { deflateSync, gzipSync } from "node:zlib";

// Requests of one organization that may delay another. A new one is an entry of ATTACKS: its name, a line that says what
// it burdens, and the request that is sent again and again by eight callers. Nothing else needs to change.

/** A request that is sent as it is. */
export interface AttackRequest {
  method?: "GET" | "POST" | "PUT";
  path: string;
  body: Buffer;
  contentType?: string;
  headers?: Record<string, string>;
}

/** What an attack may do before it is measured. */
export interface AttackTools {
  /** Creates a template of the attacker. @returns its id; throws when the service refuses it */
  createTemplate(definition: object, templateType?: string): Promise<string>;
}

type Attack = (tools: AttackTools) => AttackRequest | Promise<AttackRequest>;

// ---- Requests

function json(path: string, body: unknown): AttackRequest {
  return { path, body: Buffer.from(JSON.stringify(body)) };
}

/** Saves a template, which checks its definition. */
function save(definition: object, templateType = "document"): AttackRequest {
  return json("/api/templates", { name: "Attack", templateType, definition });
}

/** Renders data with a template that is saved before. */
async function render(
  tools: AttackTools,
  components: unknown[],
  data: unknown,
  more: { format?: string; definition?: object; order?: object } = {},
): Promise<AttackRequest> {
  const { format = "html", definition = {}, order = {} } = more;
  return json("/api/export", {
    templateId: await tools.createTemplate({
      schema: [],
      components,
      ...definition,
    }),
    formats: [format],
    data,
    ...order,
  });
}

function createUpload(name: string, bytes: Buffer): AttackRequest {
  return {
    path: `/api/assets?name=${name}`,
    body: bytes,
    contentType: "application/octet-stream",
  };
}

/** Prints the html of a template. */
function printHtml(tools: AttackTools, html: string): Promise<AttackRequest> {
  return render(tools, [{ type: "html", value: html }], {}, { format: "pdf" });
}

function callTool(name: string, args: object): AttackRequest {
  return {
    ...json("/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    }),
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    },
  };
}

// ---- Parts of definitions and data

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function text(value: unknown, more: object = {}): object {
  return { type: "text", text: value, ...more };
}

function repeated(path: string, collectionId: string, more: object = {}) {
  return { collection: { path, collectionId, ...more } };
}

function nest(levels: number, open: string, inner: string, close: string) {
  return open.repeat(levels) + inner + close.repeat(levels);
}

function code(symbology: string, value: string): object {
  return { type: "barcode", symbology, value };
}

/** Letters and digits that no encoder packs well. */
function mixed(length: number, seed = 0): string {
  let state = seed + 1;
  return times(length, () => {
    state = (state * 48271) % 2147483647;
    return "aB3$x9Qz,;".charAt(state % 10);
  }).join("");
}

// ---- Files

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1)
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A png of one color, packed to a thousandth of its pixels. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc((width * 3 + 1) * height);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function dataUrl(type: string, bytes: Buffer | string): string {
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}

function svg(inner: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 100">${inner}</svg>`;
}

/** Elements that are drawn two to the power of `levels` times. */
function doubled(levels: number): string {
  const groups = times(
    levels,
    (index) =>
      `<g id="g${index + 1}"><use href="#g${index}"/><use href="#g${index}"/></g>`,
  );
  return svg(
    `<defs><g id="g0"><rect width="1" height="1"/></g>${groups.join("")}</defs><use href="#g${levels}"/>`,
  );
}

/** A pdf whose objects are what is given, with a correct table of them. */
function pdf(objects: readonly string[]): Buffer {
  let file = "%PDF-1.7\n";
  const at = objects.map((object, index) => {
    const start = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const table = at
    .map((start) => `${String(start).padStart(10, "0")} 00000 n \n`)
    .join("");
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`;
  return Buffer.from(file, "latin1");
}

/** A TrueType font of these tables, with any content. */
function font(tables: Readonly<Record<string, Buffer>>): Buffer {
  const names = Object.keys(tables);
  const head = Buffer.alloc(12 + names.length * 16);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt16BE(names.length, 4);
  let at = head.length;
  for (const [index, name] of names.entries()) {
    const entry = 12 + index * 16;
    head.write(name.padEnd(4), entry, "latin1");
    head.writeUInt32BE(at, entry + 8);
    head.writeUInt32BE(tables[name]?.length ?? 0, entry + 12);
    at += tables[name]?.length ?? 0;
  }
  return Buffer.concat([head, ...Object.values(tables)]);
}

const ROWS = times(1000, (index) => ({ a: index, b: `b${index % 7}` }));
const MANY_ROWS = times(20_000, (index) => ({
  a: index,
  b: `b${index % 997}`,
}));

// ---- The attacks

export const ATTACKS: Readonly<Record<string, Attack>> = {
  // The check suggests a name for every unknown path.
  "unknown-paths": () =>
    save({
      schema: [
        {
          id: "root",
          fields: times(20_000, (index) => ({
            name: `customer_field_${index}`,
            type: "String",
          })),
        },
      ],
      components: times(4000, (index) =>
        text(`{{ custmer_feild_${index} }} {{ root.cstomer_field${index} }}`),
      ),
    }),
  // The check describes every unknown property.
  "unknown-properties": () =>
    save({
      schema: [],
      components: [],
      ...Object.fromEntries(times(120_000, (index) => [`colr${index}`, 1])),
    }),
  // The schema reports each part of a text that is neither text nor an object.
  "wrong-parts": () =>
    save({ schema: [], components: [text(times(300_000, () => 1))] }),
  // Each unknown function is an error with a suggestion.
  "unknown-functions": () =>
    save({ schema: [], components: [text("{{ FOO() }}".repeat(150_000))] }),
  // What is no expression is explained by translating it from other languages.
  "foreign-expressions": () =>
    save({
      schema: [],
      components: times(480, () => text(`{{ ${"$".repeat(3900)} . }}`)),
    }),
  // Text that looks like the braces of other languages.
  "foreign-braces": () =>
    save({
      schema: [],
      components: times(4000, () =>
        text("${a} {a} <<a>> {% if a %} {# a #} <%= a %> ".repeat(9)),
      ),
    }),
  // Every hint lists the fields of a record that is printed.
  "printed-records": () =>
    save({
      schema: [
        {
          id: "root",
          fields: [{ name: "c", type: "OneToOneLink", target: "c" }],
        },
        {
          id: "c",
          fields: times(20_000, (index) => ({
            name: `f${index}`,
            type: "String",
          })),
        },
      ],
      components: times(900, () => text("{{ c }}".repeat(100))),
    }),
  // The paths of problems repeat the names around them.
  "long-names": () =>
    save({
      schema: [],
      components: [],
      styles: {
        ["é".repeat(400_000)]: Object.fromEntries(
          times(20_000, (index) => [`a${index}`, 1]),
        ),
      },
    }),
  // Style values are compared with the grammar of CSS.
  "style-values": () =>
    save({
      schema: [],
      components: [],
      styles: Object.fromEntries(
        times(20_000, (index) => [
          `s${index}`,
          {
            color: `rgb(${index % 255}, ${index % 13}, 7)`,
            margin: `${index}px ${index + 1}px`,
          },
        ]),
      ),
    }),
  // Long values of CSS with many ways to read them.
  "long-style-values": () =>
    save({
      schema: [],
      components: times(100, () =>
        text("a", {
          style: {
            background: "linear-gradient(".repeat(240),
            "font-family": "a, ".repeat(1300),
            "box-shadow": "1px 1px red, ".repeat(300),
            "grid-template-columns": "[a] 1fr ".repeat(400),
            width: nest(1500, "calc(", "1px", ")"),
          },
        }),
      ),
    }),
  // Open braces without an end in values of CSS.
  "open-braces": () =>
    save({
      schema: [],
      components: [text("a", { style: { color: "{{".repeat(900_000) } })],
    }),
  // Constant codes are encoded by the check.
  "constant-codes": () =>
    save({
      schema: [],
      components: times(500, (index) => code("datamatrix", mixed(900, index))),
    }),
  // Expressions as deep and as long as they may be.
  "deep-expressions": () =>
    save({
      schema: [],
      components: times(480, () =>
        text(`{{ ${nest(60, "(", `1${"+1".repeat(180)}`, ")")} }}`),
      ),
    }),
  // Rules in rules in rules.
  "nested-rules": () => {
    const rules: object = times(100, String).reduce<object>(
      (inner) => ({ combinator: "and", rules: [inner, inner].slice(0, 1) }),
      { field: "a", operator: "=", value: 1 },
    );
    return save({
      schema: [],
      components: times(100, () => text("a", { condition: rules })),
    });
  },
  // As many components as are allowed, each repeated, in scopes of their own.
  "many-components": () =>
    save({
      schema: [],
      components: times(5000, (index) =>
        text(`{{ i${index}.a | upper }}`, repeated("root.rows", `i${index}`)),
      ),
    }),

  // 300 Data Matrix codes of 1,200 characters.
  "datamatrix-codes": (tools) =>
    render(
      tools,
      [
        {
          ...code("datamatrix", "{{ line.v }}"),
          ...repeated("root.lines", "line"),
        },
      ],
      { lines: times(300, (index) => ({ v: mixed(1200, index) })) },
    ),
  // 500 PDF417 codes.
  "pdf417-codes": (tools) =>
    render(
      tools,
      [
        {
          ...code("pdf417", "{{ line.v }}"),
          ...repeated("root.lines", "line"),
        },
      ],
      { lines: times(500, (index) => ({ v: mixed(800, index) })) },
    ),
  // 10,000 QR codes.
  "qr-codes": (tools) =>
    render(
      tools,
      [
        {
          type: "qrcode",
          value: "{{ line.v }}",
          ...repeated("root.lines", "line"),
        },
      ],
      {
        lines: times(10_000, (index) => ({
          v: `https://example.com/${index}`,
        })),
      },
    ),
  // QR codes that hold as much as they can.
  "full-qr-codes": (tools) =>
    render(
      tools,
      [
        {
          type: "qrcode",
          value: "{{ line.v }}",
          ecc: "L",
          ...repeated("root.lines", "line"),
        },
      ],
      { lines: times(60, (index) => ({ v: mixed(2900, index) })) },
    ),
  // A list of 50,000 lines in Markdown.
  "markdown-list": (tools) =>
    render(tools, [text("{{ root.text | markdown }}")], {
      text: times(50_000, (index) => `- item ${index}`).join("\n"),
    }),
  // Emphasis and links of Markdown that are never closed.
  "markdown-delimiters": (tools) =>
    render(tools, [text("{{ root.text | markdown }}")], {
      text: `${"*a_ ".repeat(60_000)}\n\n${"[a](".repeat(20_000)}\n\n${"![[".repeat(20_000)}`,
    }),
  // Quotes and lists of Markdown inside each other.
  "markdown-nesting": (tools) =>
    render(tools, [text("{{ root.text | markdown }}")], {
      text: times(400, () => `${"> - ".repeat(90)}a`).join("\n\n"),
    }),
  // Tables, references and entities of Markdown.
  "markdown-tables": (tools) =>
    render(tools, [text("{{ root.text | markdown }}")], {
      text: `|${"a|".repeat(2000)}\n|${"-|".repeat(2000)}\n${`|${"b|".repeat(1000)}\n`.repeat(100)}\n${times(20_000, (index) => `[r${index}]: http://x/${index}`).join("\n")}`,
    }),
  // Html that is not well-formed.
  "html-tags": (tools) =>
    render(
      tools,
      [
        {
          type: "html",
          value: `${"<b><i>".repeat(60_000)}${"<a href='".repeat(60_000)}${"<!--".repeat(60_000)}`,
        },
      ],
      {},
    ),
  // A chart of three lines of 20,000 points and one of 5,000 slices.
  charts: (tools) =>
    render(
      tools,
      [
        {
          type: "chart",
          chart: "line",
          data: "root.points",
          label: "b",
          series: [{ field: "a" }, { field: "a" }, { field: "a" }],
        },
        {
          type: "chart",
          chart: "pie",
          data: "root.slices",
          label: "b",
          series: [{ field: "a" }],
        },
      ],
      {
        points: times(20_000, (index) => ({
          a: index % 977,
          b: `label ${index}`,
        })),
        slices: times(5000, (index) => ({ a: index, b: `slice ${index}` })),
      },
    ),
  // Charts with labels that have to be broken into lines.
  "chart-labels": (tools) =>
    render(
      tools,
      [
        {
          type: "chart",
          chart: "bar",
          data: "root.points",
          label: "b",
          series: [{ field: "a" }],
        },
      ],
      { points: times(60, (index) => ({ a: index, b: "word ".repeat(5000) })) },
    ),
  // Collections in collections: 200,000 iterations.
  "nested-repeats": (tools) =>
    render(
      tools,
      [
        {
          type: "container",
          ...repeated("root.rows", "outer"),
          components: [
            text(
              "{{ inner.a | number('0,0.00') }}",
              repeated("root.rows", "inner", { limit: 199 }),
            ),
          ],
        },
      ],
      { rows: ROWS },
    ),
  // The elements of every element are filtered, sorted and grouped again.
  "sorted-repeats": (tools) =>
    render(
      tools,
      [
        {
          type: "container",
          ...repeated("root.rows", "outer", { limit: 9 }),
          components: [
            text(
              "{{ group.key }}",
              repeated("root.many", "inner", {
                sort: [{ field: "b", direction: "DESC", type: "String" }],
                groupBy: { field: "b" },
                limit: 1,
              }),
            ),
          ],
        },
      ],
      { rows: ROWS, many: MANY_ROWS },
    ),
  // Sums over all rows in each row.
  "sums-of-sums": (tools) =>
    render(
      tools,
      [
        text(
          "{{ SUM(root.many, a) + AVG(root.many, a) + MAX(root.many, a) }}",
          repeated("root.rows", "line"),
        ),
      ],
      { rows: ROWS, many: MANY_ROWS },
    ),
  // Numbers of thousands of digits, in decimal arithmetic.
  "huge-numbers": (tools) =>
    render(
      tools,
      [
        text(
          "{{ root.n * root.n / 7 | number('0,0.00') }} {{ root.n | words }}",
          repeated("root.rows", "line"),
        ),
      ],
      { n: "9".repeat(20_000), rows: ROWS },
    ),
  // Numbers with exponents that fill memory when they are written out.
  "huge-exponents": (tools) =>
    render(
      tools,
      [
        text(
          "{{ line.n | number('0,0.00') }} {{ line.n * line.n }} {{ ROUND(line.n, 1000000) }} {{ line.n | words }}",
          repeated("root.rows", "line"),
        ),
      ],
      { rows: times(1000, (index) => ({ n: `1e${index * 1000}` })) },
    ),
  // Long patterns of numbers and dates.
  "long-patterns": (tools) =>
    render(
      tools,
      [
        text(
          `{{ line.a | number("0,0.${"0".repeat(20)}") }}`,
          repeated("root.rows", "line"),
        ),
        text(
          `{{ NOW() | date("${"EEEE ".repeat(20)}") }}`,
          repeated("root.rows", "line2"),
        ),
      ],
      { rows: ROWS },
    ),
  // Text that is made longer by each filter.
  "long-texts": (tools) =>
    render(
      tools,
      [
        text(
          "{{ root.t ~ root.t ~ root.t | upper | lower | title | truncate(10) }}",
          repeated("root.rows", "line"),
        ),
      ],
      { t: "a".repeat(20_000), rows: ROWS },
    ),
  // Lists that are joined, again in each row.
  "joined-lists": (tools) =>
    render(
      tools,
      [text("{{ LEN(JOIN(root.tags, ', ')) }}", repeated("root.rows", "line"))],
      {
        tags: MANY_ROWS.map(({ b }) => b),
        rows: ROWS.slice(0, 90),
      },
    ),
  // Objects in objects in objects.
  "deep-data": (tools) =>
    render(
      tools,
      [text("{{ root.a }}")],
      JSON.parse(nest(290, '{"a":', "1", "}")),
    ),
  // Half a million fields that the schema does not declare.
  "unknown-fields": (tools) =>
    render(
      tools,
      [text("{{ root.a }}")],
      Object.fromEntries(times(400_000, (index) => [`k${index}`, index])),
      {
        definition: {
          schema: [{ id: "root", fields: [{ name: "a", type: "String" }] }],
        },
        order: { unknownFields: "warn" },
      },
    ),
  // Every value of 200,000 is of the wrong type.
  "wrong-values": (tools) =>
    render(
      tools,
      [text("{{ line.a }}", repeated("root.rows", "line", { limit: 1 }))],
      { rows: times(200_000, () => ({ a: "x" })) },
      {
        definition: {
          schema: [
            {
              id: "root",
              fields: [{ name: "rows", type: "OneToManyLink", target: "rows" }],
            },
            {
              id: "rows",
              fields: [{ name: "a", type: "Number", required: true }],
            },
          ],
        },
      },
    ),
  // A body of brackets.
  "nested-brackets": () => ({
    path: "/api/export",
    body: Buffer.from(nest(900_000, "[", "", "]")),
  }),
  // A body of one key, written again and again.
  "same-keys": () => ({
    path: "/api/export",
    body: Buffer.from(`{${'"a":1,'.repeat(1_000_000)}"b":1}`),
  }),
  // Numbers of a hundred thousand digits in the body.
  "long-numbers": () => ({
    path: "/api/export",
    body: Buffer.from(`{"data":[${`${"7".repeat(100_000)},`.repeat(80)}1]}`),
  }),
  // A body that unpacks to a thousand times its size.
  "packed-body": () => ({
    path: "/api/export",
    body: gzipSync(Buffer.from(`{"data":"${"a".repeat(100_000_000)}"}`)),
    headers: { "content-encoding": "gzip" },
  }),
  // A batch of empty items, all of which are checked.
  "batch-items": async (tools) =>
    json("/api/export/batch", {
      templateId: await tools.createTemplate({
        schema: [],
        components: [text("{{ root.a }}")],
      }),
      formats: ["html"],
      items: times(3000, (index) => ({ data: { a: index } })),
    }),
  // A batch of slow prints, which take the pages that requests need.
  "batch-prints": async (tools) =>
    json("/api/export/batch", {
      templateId: await tools.createTemplate({
        schema: [],
        components: [text("{{ line.number }}", repeated("root.rows", "line"))],
      }),
      formats: ["pdf"],
      items: times(10, () => ({ data: { rows: times(1500, () => 1) } })),
    }),
  // Documents of thousands of rows.
  "long-tables": (tools) =>
    render(
      tools,
      [
        {
          type: "table",
          components: [
            {
              type: "table-row",
              ...repeated("root.rows", "line"),
              components: times(6, (index) => ({
                type: "table-cell",
                text: `{{ line.a }} ${index}`,
              })),
            },
          ],
        },
      ],
      { rows: times(8000, (index) => ({ a: index })) },
      { format: "pdf" },
    ),
  // All checks of a schema on many records.
  "checked-records": async (tools) => {
    const id = await tools.createTemplate({
      schema: [
        {
          id: "root",
          fields: times(200, (index) => ({
            name: `f${index}`,
            type: "Date",
            required: true,
          })),
        },
      ],
      components: [text("a")],
    });
    return json(`/api/templates/${id}/validate`, {
      items: times(2000, () => ({ data: { f0: "no date", g: 1 } })),
    });
  },

  // Elements of svg that draw each other: a layout that never ends.
  "endless-layout": (tools) => printHtml(tools, doubled(30)),
  // The same in an image, which is cleaned and encoded before.
  "endless-svg": (tools) =>
    render(
      tools,
      [{ type: "image", src: "{{ root.src }}" }],
      { src: dataUrl("image/svg+xml", doubled(30)) },
      { format: "pdf" },
    ),
  // Filters of svg on large areas.
  "svg-filters": (tools) =>
    printHtml(
      tools,
      svg(
        `<filter id="f" x="-500%" y="-500%" width="1100%" height="1100%">${'<feTurbulence baseFrequency="0.9" numOctaves="9"/><feGaussianBlur stdDeviation="90"/>'.repeat(20)}</filter>${'<rect width="100" height="100" filter="url(#f)"/>'.repeat(50)}`,
      ),
    ),
  // Columns, floats and tables inside each other.
  "nested-layout": (tools) =>
    printHtml(
      tools,
      nest(
        60,
        "<table><tr><td><div style='columns: 2; display: flex'>",
        "a ".repeat(500),
        "</div></td></tr></table>",
      ),
    ),
  // Shadows and blurs of CSS on many elements.
  "css-shadows": (tools) =>
    printHtml(
      tools,
      "<div style='box-shadow: 0 0 200px red; filter: blur(40px); width: 9000px; height: 9000px'>a</div>".repeat(
        60,
      ),
    ),
  // An svg of as many elements as are allowed, in entities and attributes.
  "large-svg": () =>
    createUpload(
      "a.svg",
      Buffer.from(svg(`<path d="M0 0${"l1 1".repeat(400_000)}"/>`)),
    ),
  // An svg of nested groups.
  "nested-svg": () =>
    createUpload("b.svg", Buffer.from(svg(nest(19_000, "<g>", "", "</g>")))),
  // An svg whose entities multiply.
  "svg-entities": () =>
    createUpload(
      "c.svg",
      Buffer.from(
        `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${times(12, (index) => `<!ENTITY ${String.fromCharCode(98 + index)} "${`&${String.fromCharCode(97 + index)};`.repeat(10)}">`).join("")}]>${svg("<text>&m;</text>")}`,
      ),
    ),
  // An svg of style sheets.
  "svg-styles": () =>
    createUpload(
      "d.svg",
      Buffer.from(svg(`<style>${"a{b:url(".repeat(200_000)}</style>`)),
    ),
  // Pictures that unpack to 49 megapixels, as an asset.
  "packed-image": () => createUpload("a.png", png(7000, 7000)),
  // The same in a document.
  "packed-images": (tools) =>
    render(
      tools,
      [
        {
          type: "image",
          src: "{{ line.src }}",
          ...repeated("root.rows", "line"),
        },
      ],
      {
        rows: times(6, (index) => ({
          src: dataUrl("image/png", png(6900 + index, 7000)),
        })),
      },
      { format: "pdf" },
    ),
  // A picture whose size is a lie.
  "image-size": () => {
    const image = png(10, 10);
    image.writeUInt32BE(2_000_000_000, 16);
    return createUpload("b.png", image);
  },
  // A thousand pictures that cannot be read.
  "broken-images": (tools) =>
    render(
      tools,
      [
        {
          type: "image",
          src: "{{ line.src }}",
          ...repeated("root.rows", "line"),
        },
      ],
      {
        rows: times(1000, (index) => ({
          src: dataUrl("image/png", `no image ${index}`),
        })),
      },
      { format: "pdf" },
    ),
  // A font whose tables are as large as they may be, and hold nothing.
  "font-tables": () =>
    createUpload(
      "a.ttf",
      font(
        Object.fromEntries(
          [
            "cmap",
            "glyf",
            "head",
            "hhea",
            "hmtx",
            "loca",
            "maxp",
            "name",
            "OS/2",
            "post",
          ].map((name) => [name, Buffer.alloc(400_000, 0xff)]),
        ),
      ),
    ),
  // A font packed into a thousandth of its size.
  "packed-font": () => {
    const head = Buffer.alloc(44 + 20);
    head.write("wOFF", 0, "latin1");
    head.writeUInt32BE(0x00010000, 4);
    const packed = deflateSync(Buffer.alloc(60_000_000));
    head.writeUInt32BE(head.length + packed.length, 8);
    head.writeUInt16BE(1, 12);
    head.writeUInt32BE(60_000_000 + 28, 16);
    head.write("glyf", 44, "latin1");
    head.writeUInt32BE(head.length, 48);
    head.writeUInt32BE(packed.length, 52);
    head.writeUInt32BE(60_000_000, 56);
    return createUpload("a.woff", Buffer.concat([head, packed]));
  },
  // A pdf of brackets.
  "pdf-brackets": () =>
    createUpload(
      "a.pdf",
      pdf(["<</Type/Catalog/Pages 2 0 R>>", nest(400_000, "[", "", "]")]),
    ),
  // A pdf whose tree of pages holds itself.
  "pdf-cycle": () =>
    createUpload(
      "b.pdf",
      pdf([
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Count 9/Kids[2 0 R 2 0 R 2 0 R]>>",
      ]),
    ),
  // A pdf of a hundred thousand objects.
  "pdf-objects": () =>
    createUpload(
      "c.pdf",
      pdf([
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>",
        ...times(100_000, () => "<</A 1>>"),
      ]),
    ),

  // A definition with many problems through the tool server.
  "tool-definition": () =>
    callTool("create_template", {
      name: "Attack",
      templateType: "document",
      definition: {
        schema: [],
        components: times(4000, (index) =>
          text(`{{ root.a${index} }} {{ FOO(b${index}) }}`),
        ),
      },
    }),
  // Addresses of webhooks that look like many others.
  "webhook-urls": () =>
    json("/api/webhooks", {
      url: `https://${"a.".repeat(100_000)}example.com/${"%2e".repeat(100_000)}`,
      events: times(50_000, (index) => `document.creatd${index}`),
    }),
  // Unknown fields of a request, with names that are like known ones.
  "request-fields": () =>
    json(
      "/api/export",
      Object.fromEntries(times(200_000, (index) => [`fromats${index}`, 1])),
    ),
  // Formats that do not exist.
  "unknown-formats": () =>
    json("/api/export", {
      templateId: "x",
      formats: times(400_000, () => "pfd"),
    }),
};
