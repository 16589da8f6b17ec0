import { EventEmitter, once } from "node:events";
import { expect } from "chai";
import { compileTemplate } from "../../core/compiler/index.js";
import {
  Compute,
  ComputePool,
  ProgramRunner,
} from "../../core/compute/index.js";
import type { ProjectData } from "../../core/definition/index.js";
import { Deadline, PlatenError } from "../../core/plugin-api/index.js";
import { toSchema } from "../support/schema.js";

const definition: ProjectData = {
  schema: toSchema({ root: "rows OneToManyLink rows", rows: "name String" }),
  page: {
    firstHeader: [{ type: "text", text: "First {{ COUNT(root.rows) }}" }],
    header: [{ type: "text", text: "Other" }],
    footer: [{ type: "page-number", format: "{page} of {pages}" }],
  },
  components: [
    {
      type: "text",
      collection: { collectionId: "row", path: "root.rows" },
      text: "{{ row.name }} {{ row.missing }}",
    },
  ],
};

/** More than is merged without a thread. */
const large = {
  rows: Array.from({ length: 20_000 }, (_, index) => ({
    name: `Name <${index}> and more`,
  })),
};
const options = { isTest: false, now: new Date("2030-01-31T12:00:00Z") };

/** Pools that are stopped after the suite. */
const pools: ComputePool[] = [];

function createPool(
  limits: ConstructorParameters<typeof ComputePool>[0] = {},
): ComputePool {
  const pool = new ComputePool({ threads: 2, ...limits });
  pools.push(pool);
  return pool;
}

/** Serves the tests that neither end its threads nor need other limits. */
const shared = createPool();

function createCall(organizationId: string, deadline?: Deadline) {
  return {
    organizationId,
    subject: 'The template "Invoice"',
    definition: async () => definition,
    deadline,
  };
}

function compile(pool: ComputePool): Promise<ProgramRunner> {
  const call = createCall("org_a");
  return ProgramRunner.compile(
    new Compute(pool),
    { ...call, definitionHash: "invoice", templateType: "document" },
    call,
  );
}

async function getRejection(work: Promise<unknown>): Promise<PlatenError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof PlatenError) return error;
  throw new Error(`no refusal: ${String(error)}`);
}

/** Occupies a thread until it is released. */
function occupy(pool: ComputePool, organizationId: string) {
  const gate = new EventEmitter();
  const released = once(gate, "release").then(() => definition);
  const done = pool.run({
    organizationId,
    subject: "The template",
    name: "merge",
    input: { options },
    large: { data: {} },
    program: {
      definitionHash: `occupying ${organizationId}`,
      templateType: "document",
      definition: () => released,
    },
  });
  return { done, release: () => gate.emit("release") };
}

describe("the threads that compute", () => {
  after(() => Promise.all(pools.map((pool) => pool.stop())));

  it("merge a large record to the same document as without them", async () => {
    const program = await compile(shared);
    const merged = await program.merge(
      { data: large, options },
      createCall("org_a"),
    );
    const expected = compileTemplate(definition, "document").merge(
      large,
      options,
    );
    expect(merged.html === expected.html).to.equal(true);
    expect({ ...merged, html: "" }).to.deep.equal({ ...expected, html: "" });
    expect(merged.report.missing).not.to.deep.equal([]);
  });

  it("enlarge margins for tall headers as without them", async () => {
    const program = await compile(shared);
    const tall = { ...options, headerHeights: [300, 40, 200] };
    const merged = await program.merge(
      { data: large, options: tall },
      createCall("org_a"),
    );
    const expected = compileTemplate(definition, "document").merge(large, tall);
    expect(merged.page).to.deep.equal(expected.page);
    expect(merged.page.margin.top).to.equal(200);
    expect(merged.html === expected.html).to.equal(true);
  });

  it("report the problems of a record as without them", async () => {
    const program = await compile(shared);
    const data = { ...large, rows: [...large.rows, "no object"] };
    const { invalidData, merged } = await program.mergeChecked(
      { data, options, check: {} },
      createCall("org_a"),
    );
    expect(invalidData.map(({ path }) => path)).to.deep.equal([
      "$.data.rows[20000]",
    ]);
    expect(merged).not.to.equal(null);
  });

  it("keep the code, the message and the problems of an error", async () => {
    const program = await compile(shared);
    const work = program.merge(
      { data: { ...large, constructor: 1 }, options },
      createCall("org_a"),
    );
    const { code, message } = await getRejection(work);
    expect(code).to.equal("merge_failed");
    expect(message).to.contain('The data has the key "constructor" at $');
  });

  it("end a call that takes too long, which names the template, and then take the next one", async () => {
    const pool = createPool({ timeoutMs: 1 });
    const program = await compile(pool);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const { code, message } = await getRejection(
        program.merge({ data: large, options }, createCall("org_a")),
      );
      expect(code).to.equal("timeout");
      expect(message).to.match(
        /^The template "Invoice" took longer than 0\.001 s to compute and was ended\. Send fewer/,
      );
    }
    expect(pool.load).to.deep.equal({ running: 0, waiting: 0, threads: 0 });
  });

  it("end a call with its job, whether it runs or waits", async () => {
    const pool = shared;
    const program = await compile(pool);
    const occupied = occupy(pool, "org_a");
    const cancelled = new AbortController();
    const deadline = Deadline.after(60_000, cancelled.signal);
    const waiting = program.merge(
      { data: large, options },
      createCall("org_a", deadline),
    );
    expect(pool.load).to.deep.include({ running: 1, waiting: 1 });
    cancelled.abort();
    expect((await getRejection(waiting)).code).to.equal("timeout");
    expect(pool.load).to.deep.include({ running: 1, waiting: 0 });
    occupied.release();
    await occupied.done;
  });

  it("end with a call that takes too much memory, which fails alone", async () => {
    const pool = createPool({ memoryMb: 60 });
    const program = await compile(pool);
    const rows = Array.from({ length: 1_500_000 }, () => ({}));
    const { code, message } = await getRejection(
      program.merge({ data: { rows }, options }, createCall("org_a")),
    );
    expect(code).to.equal("too_large");
    expect(message).to.match(
      /^The template "Invoice" needs more than 60 MB of memory with this data\. Send fewer/,
    );
    const { value } = await pool.run({
      ...createCall("org_a"),
      name: "check",
      input: {},
      large: { written: definition, templateType: "document" },
    });
    expect(value).to.contain('"problems":[]');
  });

  it("serve another organization while one has filled them", async () => {
    const pool = shared;
    const first = Array.from({ length: 5 }, () => occupy(pool, "org_a"));
    expect(pool.load).to.include({ running: 1, waiting: 4 });
    const other = occupy(pool, "org_b");
    expect(pool.load).to.deep.equal({ running: 2, waiting: 4, threads: 2 });
    other.release();
    await other.done;
    for (const one of first) one.release();
    await Promise.all(first.map(({ done }) => done));
  });

  it("take the waiting calls of organizations in turn", async () => {
    const pool = createPool();
    const ended: string[] = [];
    const add = (organizationId: string) => {
      const occupied = occupy(pool, organizationId);
      const done = occupied.done.then(() => ended.push(organizationId));
      return { ...occupied, done };
    };
    const holding = [add("org_a"), add("org_b")];
    const waiting = ["org_a", "org_a", "org_a", "org_c", "org_b"].map(add);
    for (const one of waiting) one.release();
    holding[0]?.release();
    await Promise.all(waiting.slice(0, 4).map(({ done }) => done));
    expect(ended).to.deep.equal(["org_a", "org_c", "org_a", "org_a", "org_a"]);
    holding[1]?.release();
    await Promise.all([...holding, ...waiting].map(({ done }) => done));
  });

  it("refuse the calls of an organization that has too many waiting, and no others", async () => {
    const pool = createPool({ maxWaiting: 2 });
    const taken = [1, 2, 3].map(() => occupy(pool, "org_a"));
    const { code, retryAfterSeconds } = await getRejection(
      occupy(pool, "org_a").done,
    );
    expect(code).to.equal("busy");
    expect(retryAfterSeconds).to.equal(1);
    const other = occupy(pool, "org_b");
    for (const one of [...taken, other]) one.release();
    await Promise.all([...taken, other].map(({ done }) => done));
  });
});
