import { expect } from "chai";
import { describe, it } from "mocha";
import { useTools } from "../../support/tool-client.js";

const components = [{ type: "text", text: "IBAN DE02 1203 0000 0000 2020 51" }];

describe("tools for reusable blocks", () => {
  const { answer, rejection, caller } = useTools();

  it("create a block, list it without its components and read the same as REST", async () => {
    const made = await answer("save_partial", {
      name: "payment-details",
      title: "Payment details",
      components,
    });
    expect(made).to.include({ name: "payment-details", version: 1 });
    const { data } = await answer("list_partials", {});
    const { components: _components, usedBy: _usedBy, ...listed } = made;
    expect(data).to.deep.equal([{ ...listed, templates: 0 }]);
    const rest = await caller().get("/api/partials/payment-details");
    expect(
      await answer("get_partial", { name: "payment-details" }),
    ).to.deep.equal(await rest.json());
  });

  it("change a block only with the version that was read, in the templates that use it", async () => {
    const name = "signature";
    await answer("save_partial", { name, components });
    await caller().publish({
      name: "Letter",
      definition: {
        schema: [{ id: "root", fields: [] }],
        components: [{ type: "partial", name }],
      },
    });
    const next = [{ type: "text", text: "Kind regards" }];
    const again = await rejection("save_partial", { name, components: next });
    expect(again.code).to.equal("conflict");
    const change = { name, components: next, expectedVersion: 1 };
    const changed = await answer("save_partial", change);
    expect(changed).to.include({ name, title: name, version: 2 });
    const stale = await rejection("save_partial", change);
    expect(stale.code).to.equal("conflict");
    const { data } = await answer("list_partials", {});
    const { components: _components, usedBy: _usedBy, ...listed } = changed;
    expect(data).to.deep.include({ ...listed, templates: 1 });
  });

  it("report each problem of a block", async () => {
    const bad = [{ type: "text", text: "{{ UNKNOWN(1) }}" }];
    const refused = await rejection("save_partial", {
      name: "bad",
      components: bad,
    });
    expect(refused.code).to.equal("invalid_definition");
  });

  it("read the brand kit, which is empty until it is set", async () => {
    const { version } = await answer("get_brand", {});
    expect(version).to.equal(0);
    const kit = {
      colors: { primary: "#1446a0" },
      headingFont: "Playfair Display",
      bodyFont: null,
      logo: null,
      textStyles: {},
    };
    await caller().put("/api/brand", { kit });
    expect(await answer("get_brand", {})).to.deep.include({ kit, version: 1 });
  });
});
