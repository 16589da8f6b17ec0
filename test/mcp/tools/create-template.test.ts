import { expect } from "chai";
import { describe, it } from "mocha";
import { blueprint } from "../../../core/templates/index.js";
import { definition } from "../../support/store.js";
import { useTools } from "../../support/tool-client.js";

describe("create_template", () => {
  const { answer, rejection, caller } = useTools();
  const created = async (args: object) => {
    const { id } = await answer("create_template", { name: "New", ...args });
    return answer("get_template", { templateId: id, includeDefinition: true });
  };
  const rejected = async (args: object) =>
    (await rejection("create_template", { name: "New", ...args })).error;

  it("creates a template from a definition, a document by default", async () => {
    const made = await created({ definition, description: "A letter" });
    expect(made).to.include({
      name: "New",
      description: "A letter",
      templateType: "document",
      version: 1,
      organizationId: caller().organizationId,
      createdById: caller().userId,
    });
    expect(made["definition"]).to.deep.include({ schema: definition.schema });
  });

  it("creates a template from a blueprint, found by id or name, with the blueprint's type", async () => {
    const { sample } = blueprint("newsletter").definition;
    for (const name of ["newsletter", "Newsletter"]) {
      const made = await created({ blueprint: name });
      expect(made).to.include({ templateType: "email" });
      expect(made["definition"]).to.deep.include({ sample });
    }
  });

  it("creates a template from another one, with other paper", async () => {
    const first = await created({ definition, format: "A5" });
    const clone = await created({
      cloneTemplateId: first["id"],
      isLandscape: true,
    });
    expect(clone["id"]).not.to.equal(first["id"]);
    expect(clone["definition"]).to.deep.include({
      page: { size: "A5", landscape: true },
    });
  });

  it("creates an empty template that renders", async () => {
    for (const templateType of ["document", "email"]) {
      const { id } = await created({ templateType });
      await answer("render_document", {
        templateId: id,
        formats: ["html"],
        preview: "none",
      });
    }
  });

  it("lists the blueprints and suggests the intended one", async () => {
    const { error, code } = await rejection("create_template", {
      name: "New",
      blueprint: "invioce",
    });
    expect(code).to.equal("not_found");
    expect(error).to.contain('Did you mean "invoice"?').and.contain("quote");
  });

  it("rejects paper for an email, Custom without a size, and two sources", async () => {
    expect(await rejected({ templateType: "email", format: "A4" })).to.match(
      /An email has no paper/,
    );
    expect(await rejected({ definition, format: "Custom" })).to.match(
      /needs a width and a height/,
    );
    expect(await rejected({ definition, blueprint: "invoice" })).to.match(
      /definition and blueprint were given/,
    );
    expect(
      await rejected({ blueprint: "invoice", templateType: "email" }),
    ).to.match(/has the type "document"/);
  });
});
