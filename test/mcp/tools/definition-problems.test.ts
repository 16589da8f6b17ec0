import { expect } from "chai";
import { describe, it } from "mocha";
import { useTools } from "../../support/tool-client.js";

function nested(depth: number): object {
  let inner: object = { type: "text", text: "x" };
  for (let at = 0; at < depth; at += 1)
    inner = { type: "container", components: [inner] };
  return { schema: [], components: [inner] };
}

/** With 70 of the same. */
function repeated(component: object): object {
  const fields = [{ name: "name", type: "String" }];
  return {
    schema: [{ id: "root", fields }],
    components: Array.from({ length: 70 }, () => component),
  };
}

describe("a definition with problems", () => {
  const { call, rejection, answer, service, caller } = useTools();

  it("returns all of them, each with path, message and hint, and nothing else", async () => {
    const components = [
      { type: "txt", text: "a" },
      { type: "text", text: "{{ root.a | uper }}", colour: "red" },
    ];
    const result = await call("create_template", {
      name: "Faulty",
      definition: { schema: [], components },
    });
    expect(result.isError).to.equal(true);
    expect(result).not.to.have.property("structuredContent");
    const [block, ...more] = result.content;
    expect(more).to.deep.equal([]);
    const { problems, error } = JSON.parse(
      block?.type === "text" ? block.text : "",
    );
    expect(problems.map(({ path }: { path: string }) => path)).to.have.members([
      "$.components[0].type",
      "$.components[1].colour",
      "$.components[1].text",
    ]);
    for (const { message, hint, code } of problems)
      for (const text of [message, hint, code])
        expect(text).to.be.a("string").that.is.not.equal("");
    expect(error).to.match(/3 problems/);
  });

  it("is rejected when it is 5 MB large", async () => {
    const text = "x".repeat(5_000_000);
    const { error } = await rejection("create_template", {
      name: "Huge",
      definition: { schema: [], components: [{ type: "text", text }] },
    });
    expect(error).to.match(/The limit is 2097152 bytes/);
  });

  it("is rejected when it nests 10,000 components", async () => {
    const open = '{"type":"container","components":['.repeat(10_000);
    const definition = `{"schema":[],"components":[${open}${"]}".repeat(10_000)}]}`;
    const called = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${caller().key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body:
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_template","arguments":' +
        `{"name":"Deep","definition":${definition}}}}`,
    });
    expect(await called.text()).to.match(/nested/);
  });

  it("is accepted at the maximum depth", async () => {
    const definition = nested(60);
    await answer("create_template", { name: "Deep", definition });
  });

  it("returns its first 50 problems or warnings and the number of the others", async () => {
    const wrong = { name: "W", definition: repeated({ type: "none" }) };
    const dry = await answer("create_template", { ...wrong, dryRun: true });
    const { problems, furtherProblems } = dry;
    expect(problems).to.have.lengthOf(50);
    expect(furtherProblems).to.equal(20);
    const rejected = await rejection("create_template", wrong);
    expect(rejected.problems).to.have.lengthOf(50);
    const odd = repeated({ type: "text", text: "{{ root.nmae }}" });
    const made = await answer("create_template", {
      name: "O",
      definition: odd,
    });
    expect(made["warnings"]).to.have.lengthOf(50);
    expect(made["furtherWarnings"]).to.equal(20);
  });

  it("is rejected when it is not an object", async () => {
    for (const definition of ["text", 5, [], true]) {
      const { problems } = await rejection("create_template", {
        name: "None",
        definition,
      });
      expect(problems[0]?.path).to.equal("definition");
    }
  });
});
