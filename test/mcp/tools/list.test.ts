import { readFileSync } from "node:fs";
import { expect } from "chai";
import { newCaller } from "../../support/caller.js";
import {
  getText,
  toolClient,
  useTools,
  getToolError,
} from "../../support/tool-client.js";

const page = readFileSync("docs/reference/tool-server.md", "utf8");

const words = (text: string) => text.split(" ").filter(Boolean);

/** The specification's table and what the reference adds. */
const specified = readFileSync(
  new URL("specified.txt", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [name = "", scope = "", required = "", optional = ""] = line
      .split("|")
      .map((cell) => cell.trim());
    return [name, scope, required, optional] as const;
  });
const scopes = new Set(specified.map(([, scope]) => scope));
describe("the tool server", () => {
  const { service, client, rejection, call } = useTools();

  it("requires the arguments of the specification, and no others", async () => {
    const { tools } = await client().listTools();
    expect(JSON.stringify(tools)).to.have.length.below(30_000);
    expect(tools.map(({ name }) => name)).to.deep.equal(
      specified.map(([name]) => name),
    );
    for (const [at, [name, , required, optional]] of specified.entries()) {
      const schema = tools[at]?.inputSchema;
      expect(schema?.required ?? [], name).to.have.members(words(required));
      const known = Object.keys(schema?.properties ?? {});
      const named = words(`${required} ${optional}`);
      expect(known, name).to.include.members(named);
    }
  });

  it("declares no notices about changed lists, since it sends none", () => {
    const { tools, resources, prompts } =
      client().getServerCapabilities() ?? {};
    for (const declared of [tools, resources, prompts]) {
      expect(declared).to.be.an("object");
      expect(declared?.listChanged ?? false).to.equal(false);
    }
    expect(resources?.subscribe ?? false).to.equal(false);
  });

  it("returns only text for a tool without structured content", async () => {
    const answer = await call("get_template_ast_guide");
    expect(getText(answer)).to.match(/^# /);
    expect(answer).not.to.have.property("structuredContent");
  });

  for (const scope of scopes)
    it(`lists to a key with ${scope} its tools, which the page names, and refuses it the others`, async () => {
      const only = await toolClient(service, await newCaller(service, [scope]));
      const { tools } = await only.listTools();
      const names = specified.filter(([, needed]) => needed === scope);
      const listed = tools.map(({ name }) => name);
      expect(listed).to.have.members(names.map(([name]) => name));
      const row = page
        .split("\n")
        .find((line) => line.startsWith(`| \`${scope}\``));
      const named = [...(row ?? "").matchAll(/`(\w+)`/g)].map(([, n]) => n);
      expect(named).to.have.members(listed);
      for (const [name, needed] of specified) {
        if (needed === scope) continue;
        const { code, error } = getToolError(await only.callTool({ name }));
        expect(code, name).to.equal("forbidden");
        expect(error, name).to.contain(`scope ${needed}`);
      }
    });

  it("lists and returns resources and prompts by the key's scopes as well", async () => {
    expect((await client().listPrompts()).prompts).to.have.length(3);
    const reader = await toolClient(
      service,
      await newCaller(service, ["templates:read"]),
    );
    const { resourceTemplates } = await reader.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).to.deep.equal([
      "template",
      "template-thumbnail",
    ]);
    expect((await reader.listPrompts()).prompts).to.deep.equal([]);
    const other = await toolClient(
      service,
      await newCaller(service, ["documents:read"]),
    );
    const uri = "platen://guide/ast";
    const read = await other.readResource({ uri }).catch(String);
    expect(read).to.contain("scope templates:read");
    const name = "design_invoice";
    const prompt = await other.getPrompt({ name }).catch(String);
    expect(prompt).to.contain("scope templates:write");
  });

  it("answers an invalid call as its page shows", async () => {
    const components = [
      { type: "text", text: "Total {{ root.total | curency }}" },
    ];
    const definition = { schema: [], components, page: { size: "A7" } };
    const args = { name: "Invoice", definition };
    const examples: unknown[] = [...page.matchAll(/```json\n(.*?)```/gs)].map(
      ([, json = ""]) => JSON.parse(json),
    );
    const output: unknown = await rejection("create_template", args);
    expect(examples).to.deep.include(output);
  });
});
