import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { toolClient, getToolError } from "../../support/tool-client.js";

const needs = {
  "templates:read": [
    "get_template_ast_guide",
    "list_templates",
    "get_template",
    "list_template_versions",
    "get_template_version",
    "list_partials",
    "get_partial",
    "get_brand",
    "list_assets",
    "get_asset",
  ],
  "templates:write": [
    "create_template",
    "edit_template",
    "duplicate_template",
    "delete_template",
    "restore_template_version",
    "save_partial",
    "upload_asset",
    "delete_asset",
  ],
  "documents:read": ["list_documents", "get_document"],
  "documents:write": ["render_document", "validate_data"],
};

describe("a key with one scope", () => {
  const service = useService();
  for (const [scope, names] of Object.entries(needs))
    describe(scope, () => {
      let client: Client;
      before(async () => {
        client = await toolClient(service, await newCaller(service, [scope]));
      });

      it("lists only its own tools", async () => {
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).to.have.members(names);
      });

      it("gets the scope that each other tool requires in the error", async () => {
        for (const [needed, others] of Object.entries(needs)) {
          if (needed === scope) continue;
          for (const name of others) {
            const { code, error } = getToolError(
              await client.callTool({ name }),
            );
            expect(code, name).to.equal("forbidden");
            expect(error, name).to.contain(needed);
          }
        }
      });
    });
});
