import { readFileSync } from "node:fs";
import { expect } from "chai";
import { describe, it } from "mocha";
import { SCOPES } from "../../../core/accounts/index.js";
import { newCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { toolClient } from "../../support/tool-client.js";

const page = readFileSync("docs/reference/tool-server.md", "utf8");

/** The page's examples of JSON. */
const examples: unknown[] = [...page.matchAll(/```json\n(.*?)```/gs)].map(
  ([, json = ""]) => JSON.parse(json),
);

describe("docs/reference/tool-server.md", () => {
  const service = useService();

  for (const scope of SCOPES.filter((one) => page.includes(`| \`${one}\``)))
    it(`names the tools of ${scope}`, async () => {
      const client = await toolClient(
        service,
        await newCaller(service, [scope]),
      );
      const { tools } = await client.listTools();
      const row = page
        .split("\n")
        .find((line) => line.includes(`\`${scope}\``));
      const named = [...(row ?? "").matchAll(/`(\w+)`/g)].map(([, n]) => n);
      expect(named).to.have.members(tools.map(({ name }) => name));
    });

  it("shows the real answer to an invalid call", async () => {
    const client = await toolClient(service, await newCaller(service));
    const answer = await client.callTool({
      name: "create_template",
      arguments: {
        name: "Invoice",
        definition: {
          schema: [],
          components: [
            { type: "text", text: "Total {{ root.total | curency }}" },
          ],
          page: { size: "A7" },
        },
      },
    });
    const [block] = answer.content;
    const output = block?.type === "text" ? JSON.parse(block.text) : null;
    expect(examples).to.deep.include(output);
  });
});
