import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import { getToolResult, useTools } from "../../support/tool-client.js";

const definition = () => ({
  schema: [
    { id: "root", fields: [{ name: "client", type: "String" }] },
    { id: "lines", fields: [] },
  ],
  components: [
    { id: "title", type: "heading", text: "Invoice" },
    {
      id: "box",
      type: "container",
      components: [{ id: "inner", type: "text", text: "Thank you" }],
    },
    { id: "last", type: "text", text: "Bye" },
  ],
  sample: {
    client: "Ada",
    list: ["a", "b", "c"],
    "a/b": 1,
    "m~n": 2,
    nothing: null,
  },
});

function word(value: string) {
  return [{ op: "replace", path: "/components/0/text", value }];
}

describe("edit_template with a patch", () => {
  const { answer, call, rejection, caller } = useTools();
  let templateId: string;
  beforeEach(async () => {
    templateId = await caller().publish({
      definition: definition(),
    });
  });
  const patch = (operations: object[], args: object = {}) =>
    answer("edit_template", { templateId, patch: operations, ...args });
  const rejected = (operations: unknown, args: object = {}) =>
    rejection("edit_template", { templateId, patch: operations, ...args });
  const now = async () => {
    const found = await answer("get_template", { templateId });
    // The form is that of `definition` above.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return found["definition"] as ReturnType<typeof definition>;
  };
  const sample = async (): Promise<Record<string, unknown>> =>
    (await now()).sample;

  it("changes one word and leaves everything else as it was", async () => {
    await patch([{ op: "replace", path: "/components/0/text", value: "Bill" }]);
    const expected = definition();
    expected.components[0] = { id: "title", type: "heading", text: "Bill" };
    expect(await now()).to.deep.equal(expected);
  });

  it("applies every kind of operation in its order", async () => {
    await patch([
      { op: "test", path: "/components/2/text", value: "Bye" },
      { op: "add", path: "/sample/list/1", value: "x" },
      { op: "add", path: "/sample/list/-", value: "z" },
      { op: "remove", path: "/sample/list/0" },
      { op: "add", path: "/sample/added", value: { deep: [1] } },
      { op: "copy", from: "/sample/added", path: "/sample/copied" },
      { op: "add", path: "/sample/added/deep/0", value: 0 },
      { op: "move", from: "/sample/client", path: "/sample/person" },
      { op: "replace", path: "/sample/a~1b", value: "slash" },
      { op: "replace", path: "/sample/m~0n", value: "tilde" },
      { op: "replace", path: "/sample/nothing", value: 0 },
    ]);
    expect(await sample()).to.deep.equal({
      list: ["x", "b", "c", "z"],
      added: { deep: [0, 1] },
      copied: { deep: [1] },
      person: "Ada",
      "a/b": "slash",
      "m~n": "tilde",
      nothing: 0,
    });
  });

  it("moves within an array as removing and then adding does", async () => {
    await patch([
      { op: "move", from: "/sample/list/0", path: "/sample/list/2" },
    ]);
    expect((await sample())["list"]).to.deep.equal(["b", "c", "a"]);
    await patch([{ op: "move", from: "/components/0", path: "/components/-" }]);
    const { components } = await now();
    expect(components.map(({ id }) => id)).to.deep.equal([
      "box",
      "last",
      "title",
    ]);
    const into = { op: "move", from: "/components/1" };
    await patch([{ ...into, path: "/components/0/components/0" }]);
    expect((await now()).components[0]?.components).to.have.lengthOf(2);
  });

  it("replaces null and the whole definition, and tests values regardless of their order", async () => {
    const whole = { schema: [], components: [], sample: { a: 1, b: [null] } };
    await patch([
      { op: "replace", path: "", value: whole },
      {
        op: "test",
        path: "",
        value: { ...whole, sample: { b: [null], a: 1 } },
      },
      { op: "replace", path: "/sample/b/0", value: null },
    ]);
    expect(await now()).to.deep.equal(whole);
  });

  it("works together with the paper, a version, its note and expectedVersion", async () => {
    const { updatedAt } = await answer("get_template", { templateId });
    const edit = { expectedVersion: updatedAt, createVersion: true };
    const change = { op: "replace", path: "/components/2/text", value: "Ciao" };
    const saved = await patch([change], { ...edit, format: "A5" });
    expect(saved).to.include({ version: 2 });
    expect(await now()).to.deep.include({ page: { size: "A5" } });
    const { code, problems } = await rejected([change], edit);
    expect(code).to.equal("conflict");
    expect(problems[0]?.path).to.equal("expectedVersion");
  });

  it("shows the changed page and saves nothing with dryRun", async () => {
    const change = { op: "replace", path: "/components/0/text", value: "Dry" };
    const args = { templateId, patch: [change], dryRun: true };
    const shown = await call("edit_template", args);
    expect(getToolResult(shown)).to.include({ isValid: true });
    expect(shown.content[1]).to.include({ type: "image" });
    const wrong = { ...change, path: "/components/0/txt" };
    const { problems } = await rejected([wrong], { dryRun: true });
    expect(problems[0]?.path).to.equal("patch[0].path");
    expect(await now()).to.deep.equal(definition());
  });

  it("changes nothing when one of its operations fails, and names that operation and the pointer", async () => {
    const { code, error, problems } = await rejected([
      { op: "replace", path: "/components/0/text", value: "Bill" },
      { op: "remove", path: "/components/3" },
      { op: "remove", path: "/components/0" },
    ]);
    expect(code).to.equal("invalid_request");
    expect(error).to.contain("Nothing was changed.");
    expect(problems).to.deep.equal([
      {
        path: "patch[1].path",
        code: "missing_path",
        message:
          "Operation 2 (remove /components/3) failed: /components has 3 items.",
        hint: "Its last index is 2.",
      },
    ]);
    expect(await now()).to.deep.equal(definition());
  });

  it("says what is at a place that is not there", async () => {
    const cases: [operation: object, ...said: string[]][] = [
      [
        { op: "replace", path: "/components/0/txt", value: 1 },
        "/components/0/text",
      ],
      [{ op: "remove", path: "/sample/zzzzzz" }, "It has: client, list", "add"],
      [{ op: "remove", path: "/components/0/text/0" }, '"Invoice"'],
      [{ op: "add", path: "/components/7", value: {} }, "from 0 to 3"],
      [{ op: "replace", path: "/components/x", value: {} }, "from 0 to 2"],
      [{ op: "replace", path: "/components/00", value: {} }, "index"],
      [{ op: "replace", path: "/components/-1", value: {} }, "index"],
      [{ op: "remove", path: "/components/-" }, "after the last"],
      [{ op: "replace", path: "/components/length", value: 0 }, "index"],
      [{ op: "remove", path: "" }, "delete_template"],
      [{ op: "copy", from: "/sampel", path: "/sample/x" }, '"/sample"'],
      [
        {
          op: "move",
          from: "/components/1",
          path: "/components/1/components/0",
        },
        "itself",
      ],
      [{ op: "add", path: "/sample/none/deep", value: 1 }, '"none"'],
    ];
    for (const [operation, ...expected] of cases) {
      const text = JSON.stringify((await rejected([operation])).problems);
      for (const words of expected)
        expect(
          JSON.parse(text)[0].message + JSON.parse(text)[0].hint,
        ).to.contain(words);
    }
    expect(await now()).to.deep.equal(definition());
  });

  it("rejects a patch whose test is not met as a conflict, with the value that is there", async () => {
    const { code, error, problems } = await rejected([
      { op: "test", path: "/components/0/text", value: "Receipt" },
      { op: "remove", path: "/components/0" },
    ]);
    expect(code).to.equal("conflict");
    expect(error).to.contain('"Invoice", not "Receipt"');
    expect(problems[0]).to.include({
      path: "patch[0].path",
      code: "test_failed",
    });
  });

  it("reports all operations at once that are written wrongly", async () => {
    const { problems } = await rejected([
      { op: "add", path: "/components/-" },
      { op: "copy", path: "/sample/x" },
      { op: "replace", path: "$.components[0].text", value: "x" },
      { op: "remove", path: "components/0" },
      { op: "remove", path: "/sample/m~n" },
      { op: "remove", path: "/components/0" },
    ]);
    expect(problems.map(({ path }) => path)).to.deep.equal([
      "patch[0].value",
      "patch[1].from",
      "patch[2].path",
      "patch[3].path",
      "patch[4].path",
    ]);
    expect(problems[2]?.hint).to.contain('"/components/0/text"');
    expect(problems[3]?.hint).to.contain('"/components/0"');
    const unknown = await rejected([{ op: "set", path: "/name", value: 1 }]);
    expect(unknown.problems[0]?.path).to.equal("patch[0].op");
    expect(unknown.problems[0]?.message).to.contain('"replace"');
    expect((await rejected([])).problems[0]?.path).to.equal("patch");
  });

  it("refuses paths into prototypes", async () => {
    for (const path of [
      "/__proto__/polluted",
      "/sample/constructor/prototype/polluted",
      "/components/0/__proto__",
      "/components/__proto__/polluted",
    ]) {
      const add = await rejected([{ op: "add", path, value: true }]);
      expect(add.problems[0]).to.include({ code: "forbidden_path" });
      const from = path;
      const copy = await rejected([{ op: "copy", from, path: "/sample/x" }]);
      expect(copy.problems[0]?.path).to.equal("patch[0].from");
    }
    expect({}).not.to.have.property("polluted");
  });

  it("refuses a definition beside a patch", async () => {
    const change = { op: "remove", path: "/components/0" };
    const { problems } = await rejected([change], { definition: definition() });
    expect(problems.map(({ path }) => path)).to.deep.equal([
      "definition",
      "patch",
    ]);
  });

  it("checks the patched definition like a whole one", async () => {
    const { code, problems } = await rejected([
      { op: "replace", path: "/components/2/type", value: "txt" },
    ]);
    expect(code).to.equal("invalid_definition");
    expect(problems[0]?.path).to.equal("$.components[2].type");
  });

  it("accepts a patch that a client sends as a string of JSON", async () => {
    const change = { op: "replace", path: "/components/0/text", value: "S" };
    await answer("edit_template", {
      templateId,
      patch: JSON.stringify([change]),
    });
    expect((await now()).components[0]?.text).to.equal("S");
  });

  it("refuses copies of copies that would fill the memory, and nesting without end", async () => {
    const doubling = Array.from({ length: 60 }, (_, index) => ({
      op: "copy",
      from: "/sample",
      path: `/sample/copy${index}`,
    }));
    const { problems } = await rejected(doubling);
    expect(problems[0]?.code).to.equal("too_large");
    const deeper = Array.from({ length: 60 }, (_, index) => ({
      op: "copy",
      from: "/sample",
      path: `/sample${"/x".repeat(2 ** Math.min(index, 8))}`,
    }));
    expect((await rejected(deeper)).problems[0]?.code).to.equal("too_deep");
  });
});

describe("restore_template_version", () => {
  const { answer, call, rejection, caller } = useTools();
  let templateId: string;
  const versionId = async (version: number) => {
    const { data } = await answer("list_template_versions", { templateId });
    // The form is tested elsewhere.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const versions = data as { id: string; version: number }[];
    return versions.find((one) => one.version === version)?.id ?? "";
  };
  const now = () => answer("get_template", { templateId });
  beforeEach(async () => {
    templateId = await caller().publish({
      name: "Kept",
      definition: definition(),
    });
    const edit = { templateId, patch: word("Second"), createVersion: true };
    await answer("edit_template", edit);
  });

  it("makes the definition of a version the live one and keeps all versions", async () => {
    const args = { templateId, versionId: await versionId(1) };
    const restored = await answer("restore_template_version", args);
    expect(restored).to.include({ version: 2, batchVersion: 2, name: "Kept" });
    expect(await now()).to.deep.include({ definition: definition() });
    const { total } = await answer("list_template_versions", { templateId });
    expect(total).to.equal(2);
  });

  it("keeps the restored definition as a new version on request, with a note of its own", async () => {
    const args = { templateId, versionId: await versionId(1) };
    const made = await answer("restore_template_version", {
      ...args,
      createVersion: true,
    });
    expect(made).to.include({ version: 3 });
    const versions = await answer("list_template_versions", { templateId });
    expect(JSON.stringify(versions)).to.contain("Restored from version 1.");
  });

  it("shows the version and changes nothing with dryRun", async () => {
    const before = await now();
    const result = await call("restore_template_version", {
      templateId,
      versionId: await versionId(1),
      dryRun: true,
    });
    expect(getToolResult(result)).to.include({ isValid: true });
    expect(result.content[1]).to.include({ type: "image" });
    expect(await now()).to.deep.equal(before);
  });

  it("overwrites nobody's change, and says where the ids of versions are listed", async () => {
    const { updatedAt } = await now();
    await answer("edit_template", { templateId, name: "By another" });
    const args = { templateId, versionId: await versionId(1) };
    const stale = await rejection("restore_template_version", {
      ...args,
      expectedVersion: updatedAt,
    });
    expect(stale.code).to.equal("conflict");
    const unknown = await rejection("restore_template_version", {
      ...args,
      versionId: "1",
    });
    expect(unknown.code).to.equal("not_found");
    expect(unknown.error).to.contain("ver_");
  });
});
