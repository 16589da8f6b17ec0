import { expect } from "chai";
import { formatError } from "../../core/plugin-api/index.js";
import type { NamedSubmitter } from "../../core/documents/index.js";
import { SignatureRequest } from "../../core/storage/database/index.js";
import { buyer, field, type SigningInput, useEsign } from "../support/esign.js";
import { withRows } from "../support/rows.js";
import { getRejection, onSqlite } from "../support/store.js";

const asks = (...submitters: NamedSubmitter[]) => ({
  options: { esignSettings: { submitters } },
});

const settings = <T extends object>(esignSettings: T) => ({
  options: { esignSettings },
});

onSqlite((_open, database) => {
  describe("the signers of a request", () => {
    const harness = useEsign({
      config: { database },
      capabilities: {
        order: false,
        expiry: "none",
        cancel: false,
        redirect: true,
      },
    });
    const seller = { role: "Seller", email: "seller@example.com" };
    const rejected = async (input: Omit<SigningInput, "expiresAt">) =>
      formatError(await getRejection(harness.settle(input)));
    const fields = [field(), field("Seller")];
    const ordered = [buyer, { ...seller, order: 1 }];
    const inputs: Record<string, Omit<SigningInput, "expiresAt">> = {
      "a role without a submitter": { merged: { fields } },
      "a submitter without a field": asks(buyer, seller),
      "an invalid email address": asks({ ...buyer, email: "buyer@" }),
      "no email address in the record": {
        merged: { submitters: [{ ...buyer, email: "" }] },
      },
      "a role that is named twice": asks(buyer, buyer),
      "an expiry in the past": settings({ expiresAt: "2001-01-01" }),
      "an expiry with this provider": settings({ expiresAt: "2100-01-01" }),
      "an order with this provider": {
        merged: { submitters: ordered, fields },
      },
      "a document without a sign-field": { merged: { fields: [] } },
      "an unknown connection": { options: { esignConnection: "7" } },
      "a script as page after signing in the record": {
        merged: { redirectUrl: "javascript:alert(1)" },
      },
    };
    const cases = withRows(
      inputs,
      `
      a role without a submitter | no signer is named for the role "Seller"
      a submitter without a field | $.esignSettings.submitters[1].role: the document has no field for the role "Seller"
      an invalid email address | $.esignSettings.submitters[0].email: "buyer@" of the role "Buyer" is not a valid email address
      no email address in the record | $.schema[0].connection.submitters[0].email: "" of the role "Buyer"
      a role that is named twice | is named twice
      an expiry in the past | $.esignSettings.expiresAt: is in the past
      an expiry with this provider | can neither expire a request by itself nor withdraw one
      an order with this provider | does not support an order
      a document without a sign-field | has no sign-field
      an unknown connection | $.esignConnection: "7" is not an e-signature connection of the organization
      a script as page after signing in the record | $.schema[0].connection.redirectUrl: `,
    );
    for (const redirectUrl of [
      "javascript:alert(1)",
      "/thanks",
      "https://",
      "data:text/html,x",
    ])
      it(`are rejected for the page after signing ${redirectUrl}`, async () => {
        expect(await rejected(settings({ redirectUrl }))).to.include(
          `$.esignSettings.redirectUrl: ${JSON.stringify(redirectUrl)} is not the address of a web page`,
        );
      });
    for (const [description, input, message] of cases)
      it(`are rejected for ${description}`, async () => {
        expect(await rejected(input)).to.include(message);
      });

    it("are rejected without a connection and for another organization's connection", async () => {
      const asked = { organizationId: "other" };
      expect(await rejected({ options: asked })).to.include(
        "has no connection to an e-signature provider",
      );
      const named = { ...asked, esignConnection: harness.connectionId };
      expect(await rejected({ options: named })).to.include(
        "is not an e-signature",
      );
    });

    it("go to the page of the request after signing, or else to that of the template", async () => {
      const inTemplate = { redirectUrl: "https://example.com/template" };
      const redirectUrl = "https://example.com/ä";
      for (const input of [
        { merged: inTemplate },
        { merged: inTemplate, options: { esignSettings: { redirectUrl } } },
        {},
      ]) {
        const id = await harness.send(input);
        await harness.waitForStatus(id, "pending");
      }
      expect(
        harness.memory.submissions
          .slice(-3)
          .map(({ request }) => request.redirectUrl),
      ).to.deep.equal([
        "https://example.com/template",
        "https://example.com/%C3%A4",
        undefined,
      ]);
    });

    it("are those of the request, completed by the template", async () => {
      const id = await harness.send({
        options: {
          esignSettings: {
            submitters: [{ ...buyer, values: { a: 1 }, name: "Ann" }],
          },
        },
        merged: {
          submitters: [
            { role: "Buyer", email: "", values: { a: 0, b: 2 } },
            { ...seller, name: "Sam" },
            { role: "Witness", email: "" },
          ],
          fields: [field(), field("Seller")],
        },
      });
      const { submitters, warnings } = await harness.get(id);
      expect(submitters.map(({ role, name }) => [role, name])).to.deep.equal([
        ["Buyer", "Ann"],
        ["Seller", "Sam"],
      ]);
      expect(warnings[0]).to.include('"Witness"');
    });
  });

  describe("the order of signers", () => {
    const harness = useEsign({ config: { database } });
    before(() => {
      harness.memory.beforeCall = (call) => {
        if (call === "start") throw new Error("not now");
      };
    });

    it("is stored in groups from 0 without gaps", async () => {
      const roles = ["A", "B", "C", "D"];
      const orders = [7, undefined, 2.5, 7];
      const id = await harness.send({
        merged: {
          submitters: roles.map((role, at) => ({
            role,
            email: "one@example.com",
            order: orders[at],
          })),
          fields: roles.map((role) => field(role)),
        },
      });
      const row = await harness.service.store.read.findOneByOrFail(
        SignatureRequest,
        { id },
      );
      expect(row.submitters.map(({ order }) => order)).to.deep.equal([
        2, 0, 1, 2,
      ]);
    });
  });
});
