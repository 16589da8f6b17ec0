import { expect } from "chai";
import { Compute, type ProgramSource } from "../../core/compute/index.js";
import { ProgramCache } from "../../core/documents/index.js";
import type { ProjectData } from "../../core/definition/index.js";

const definition: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  components: [{ type: "text", text: "Hello" }],
};

/** A source that counts how often its definition was asked for. */
function countingSource(definitionHash: string) {
  const source: ProgramSource & { lookupCount: number } = {
    lookupCount: 0,
    definitionHash,
    templateType: "document",
    definition: async () => {
      source.lookupCount += 1;
      return definition;
    },
  };
  return source;
}

const caller = { organizationId: "org_a", subject: "The template" };

function createCache(maxBytes: number): ProgramCache {
  return new ProgramCache(maxBytes, new Compute());
}

describe("the program cache", () => {
  it("compiles a definition once, even for concurrent requests", async () => {
    const cache = createCache(10_000_000);
    const source = countingSource("a");
    const [first, second] = await Promise.all([
      cache.program(source, caller),
      cache.program(source, caller),
    ]);
    expect(first).to.equal(second);
    expect(await cache.program(countingSource("a"), caller)).to.equal(first);
    expect(source.lookupCount).to.equal(1);
  });

  it("caches another hash separately", async () => {
    const cache = createCache(10_000_000);
    const first = await cache.program(countingSource("a"), caller);
    expect(await cache.program(countingSource("b"), caller)).not.to.equal(
      first,
    );
  });

  it("stays within its limit and still returns programs that do not fit", async () => {
    const cache = createCache(1);
    const source = countingSource("a");
    expect(await cache.program(source, caller)).to.have.property("weight");
    await cache.program(source, caller);
    expect(source.lookupCount).to.equal(2);
  });

  it("does not cache a failure", async () => {
    const cache = createCache(10_000_000);
    const broken: ProgramSource = {
      ...countingSource("a"),
      definition: () => Promise.reject(new Error("no definition")),
    };
    const failure = await cache.program(broken, caller).catch(String);
    expect(failure).to.equal("Error: no definition");
    const program = await cache.program(countingSource("a"), caller);
    expect(program).to.have.property("weight");
  });
});
