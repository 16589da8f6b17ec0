import { expect } from "chai";
import { z } from "zod";
import { Compute, ComputePool } from "../../core/compute/index.js";
import { PlatenError } from "../../core/plugin-api/index.js";
import { greatVibes } from "../support/assets.js";
import {
  readError,
  newCaller,
  reader,
  replies,
  type TestCaller,
} from "../support/caller.js";
import {
  createChange,
  draftReplies,
  newDraftClient,
} from "../support/draft-client.js";
import { toSchema } from "../support/schema.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

const text = (words: string) => ({ type: "text", text: words });
const schema = toSchema({
  root: "text String, rows OneToManyLink rows",
  rows: "value String",
});
const eachRow = (component: object, id = "row") => ({
  type: "container",
  collection: { collectionId: id, path: "root.rows" },
  components: [component],
});
const getRows = (count: number, characters = 5) => ({
  rows: Array.from({ length: count }, (_, index) => ({
    value: `${index} `.padEnd(characters, "aB3 "),
  })),
});
/** A definition that takes longer to check than a request may hold others up. */
const largeDefinition = {
  schema,
  components: Array.from({ length: 1000 }, (_, index) =>
    text(`Line ${index} of {{ root.text | upper }} ${"and more ".repeat(10)}`),
  ),
};

/** The answer to a template that was created or changed. */
const created = reader(
  z.looseObject({ id: z.string(), warnings: z.array(z.unknown()) }),
);

/** A template of each kind, and a record that takes long to merge with it. */
const heavy: Readonly<
  Record<string, { definition: object; templateType?: string; data: object }>
> = {
  "many DataMatrix codes": {
    definition: {
      schema,
      components: [
        eachRow({
          type: "barcode",
          symbology: "datamatrix",
          value: "{{ row.value }}",
        }),
      ],
    },
    data: getRows(150, 1200),
  },
  "many QR codes": {
    definition: {
      schema,
      components: [eachRow({ type: "qrcode", value: "{{ row.value }}" })],
    },
    data: getRows(2000),
  },
  "a long text in Markdown": {
    definition: { schema, components: [text("{{ root.text | markdown }}")] },
    data: { text: "- item\n".repeat(20_000) },
  },
  "repeats inside repeats": {
    definition: {
      schema,
      components: [
        eachRow(eachRow(text("{{ inner.value | upper }} ".repeat(4)), "inner")),
      ],
    },
    data: getRows(400),
  },
  "many empty rows of a wide table": {
    definition: {
      schema: [
        schema[0],
        {
          id: "rows",
          fields: Array.from({ length: 1500 }, (_, index) => ({
            name: `f${index}`,
            type: "Number",
          })),
        },
      ],
      components: [text("Hello")],
    },
    data: { rows: Array.from({ length: 20_000 }, () => ({})) },
  },
  "a large record": {
    definition: { schema, components: [text("Hello")] },
    data: getRows(30_000),
  },
  "a large template": { definition: largeDefinition, data: { text: "x" } },
  "an email whose columns depend on the record": {
    definition: {
      email: { subject: "Columns" },
      schema,
      components: [
        {
          type: "columns",
          components: [
            {
              type: "column",
              collection: { collectionId: "row", path: "root.rows" },
              components: [text("{{ row.value }}")],
            },
          ],
        },
      ],
    },
    templateType: "email",
    data: getRows(3),
  },
};

/** An SVG of so many lines. */
function drawing(lines: number): Buffer {
  const paths = '<path d="M0 0L9 9"/>'.repeat(lines);
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${paths}</svg>`,
  );
}

async function expectEnded(response: Response, subject: string) {
  expect(response.status).to.equal(500);
  expect(await readError(response)).to.match(
    new RegExp(`^${subject} took longer than 0\\.001 s to compute`),
  );
}

/** Threads that end at once whatever has no limit of its own, as parsing a request has. */
class EndingPool extends ComputePool {
  override run(
    ...[task]: Parameters<ComputePool["run"]>
  ): ReturnType<ComputePool["run"]> {
    if (task.timeoutMs !== undefined) return super.run(task);
    const message = `${task.subject} took longer than 0.001 s to compute.`;
    return Promise.reject(new PlatenError("timeout", message));
  }
}

describe("work that grows with the input", () => {
  const service = useService({
    replace: (container) =>
      container.register(Compute, { useValue: new Compute(new EndingPool()) }),
  });
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
  });

  for (const [name, { data, ...template }] of Object.entries(heavy))
    it(`is done outside of the thread that answers: ${name}`, async () => {
      const templateId = await publish(service.store, caller, {
        name,
        ...template,
      });
      const body = { templateId, formats: ["html"], data };
      const response = await caller.post("/api/export", body);
      await expectEnded(response, `The template "${name}"`);
    });

  it("is done outside of the thread that answers: checking a definition", async () => {
    const body = { name: "Large", definition: largeDefinition };
    const rejected = await caller.post("/api/templates", body);
    await expectEnded(rejected, 'The template "Large"');
    const { id } = await created(
      await caller.post("/api/templates", { name: "Small" }),
      201,
    );
    const redefined = await caller.put(`/api/templates/${id}/definition`, {
      definition: largeDefinition,
    });
    await expectEnded(redefined, 'The template "Small"');
  });

  it("saves a draft that takes too long to check, with that as its problem", async () => {
    const drafts = await newDraftClient(service);
    const definition = largeDefinition;
    const change = createChange(await drafts.open(), "");
    const answer = await drafts.save({ ...change, definition });
    const { revision, facts } = await draftReplies.saved(answer);
    expect(revision).to.equal(1);
    expect(facts.problems.map(({ message }) => message)).to.have.length(1);
    expect(facts.problems[0]?.message).to.match(/^This draft took longer/);
    expect((await drafts.open()).definition).to.deep.equal(definition);
  });

  it("is done outside of the thread that answers: checking records", async () => {
    const { definition, data } = heavy["many empty rows of a wide table"]!;
    const templateId = await publish(service.store, caller, {
      name: "Records",
      definition,
    });
    const path = `/api/templates/${templateId}/validate`;
    await expectEnded(
      await caller.post(path, { data }),
      'The template "Records"',
    );
  });

  const files: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
    SVG: () => drawing(19_000),
    font: greatVibes,
  };
  for (const [name, read] of Object.entries(files))
    it(`is done outside of the thread that answers: reading an uploaded ${name}`, async () => {
      const base64Data = (await read()).toString("base64");
      const body = { name: "file", base64Data };
      const answer = await caller.post("/api/assets", body);
      await expectEnded(answer, `The ${name}`);
    });

  it("leaves small drawings where they are cleaned at once", async () => {
    const base64Data = drawing(3).toString("base64");
    const body = { name: "drawing.svg", base64Data };
    expect((await caller.post("/api/assets", body)).status).to.equal(201);
  });

  it("leaves short documents where they are merged at once", async () => {
    const other = await newCaller(service);
    const definition = { schema, components: [text("Hello {{ root.text }}")] };
    const templateId = await publish(service.store, other, { definition });
    const { result } = await exportHtml(other, templateId, { text: "you" });
    expect(result).to.contain("Hello you");
  });
});

async function exportHtml(
  caller: TestCaller,
  templateId: string,
  data: object,
) {
  const body = { templateId, formats: ["html"], data };
  const { html } = await replies.exported(
    await caller.post("/api/export", body),
  );
  return { result: html?.htmlDocument ?? "" };
}

describe("large work", () => {
  const service = useService();
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
  });

  it("ends as small work does: a large template is created, changed, and rendered with a large record", async () => {
    const { id, warnings } = await created(
      await caller.post("/api/templates", {
        name: "Large",
        definition: largeDefinition,
      }),
      201,
    );
    expect(warnings).to.deep.equal([]);
    const added = text("{{ COUNT(root.rows) }} rows of {{ root.missing }}");
    const { components } = largeDefinition;
    const definition = { schema, components: [...components, added] };
    const changed = await created(
      await caller.put(`/api/templates/${id}/definition`, { definition }),
    );
    expect(changed.warnings).to.have.length(1);
    const data = { text: "<you>", ...getRows(30_000) };
    const { result } = await exportHtml(caller, id, data);
    expect(result).to.contain("Line 999 of &lt;YOU&gt;");
    expect(result).to.contain("30000 rows of");
  });

  it("fails as small work does: every problem of a large definition has its path", async () => {
    const { components } = largeDefinition;
    const definition = {
      schema,
      components: [
        ...components,
        text("{{ root.text | uper }}"),
        { type: "txt" },
      ],
    };
    const response = await caller.post("/api/templates", {
      name: "Broken",
      definition,
    });
    expect(response.status).to.equal(400);
    expect(await response.text())
      .to.contain("$.components[1000].text")
      .and.to.contain("$.components[1001].type");
  });
});
