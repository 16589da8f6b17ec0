import { expect } from "chai";
import { formatError } from "../../core/plugin-api/index.js";
import type { NamedSubmitter } from "../../core/documents/index.js";
import { SignatureRequest } from "../../core/storage/database/index.js";
import { buyer, field, type SigningInput, useEsign } from "../support/esign.js";
import { getRejection, onSqlite } from "../support/store.js";

const asks = (...submitters: NamedSubmitter[]) => ({
  options: { esignSettings: { submitters } },
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
    const cases: [string, Omit<SigningInput, "expiresAt">, string][] = [
      [
        "for a role without a submitter",
        { merged: { fields: [field(), field("Seller")] } },
        'no signer is named for the role "Seller"',
      ],
      [
        "for a submitter of the request without a field",
        asks(buyer, seller),
        '$.esignSettings.submitters[1].role: the document has no field for the role "Seller"',
      ],
      [
        "for an invalid email address in the request",
        asks({ ...buyer, email: "buyer@" }),
        '$.esignSettings.submitters[0].email: "buyer@" of the role "Buyer" is not a valid email address',
      ],
      [
        "for an invalid email address in the record",
        { merged: { submitters: [{ ...buyer, email: "" }] } },
        '$.schema[0].connection.submitters[0].email: "" of the role "Buyer"',
      ],
      ["for a role that is named twice", asks(buyer, buyer), "is named twice"],
      [
        "for an expiry in the past",
        { options: { esignSettings: { expiresAt: "2001-01-01" } } },
        "$.esignSettings.expiresAt: is in the past",
      ],
      [
        "for an expiry that the provider does not support",
        { options: { esignSettings: { expiresAt: "2100-01-01" } } },
        "can neither expire a request by itself nor withdraw one",
      ],
      [
        "for an order that the provider does not support",
        {
          merged: {
            submitters: [buyer, { ...seller, order: 1 }],
            fields: [field(), field("Seller")],
          },
        },
        "does not support an order",
      ],
      [
        "for a document without a sign-field",
        { merged: { fields: [] } },
        "has no sign-field",
      ],
      [
        "for an unknown connection",
        { options: { esignConnection: "7" } },
        '$.esignConnection: "7" is not an e-signature connection of the organization',
      ],
      ...["javascript:alert(1)", "/thanks", "https://", "data:text/html,x"].map(
        (redirectUrl): (typeof cases)[number] => [
          `for the page after signing ${redirectUrl}`,
          { options: { esignSettings: { redirectUrl } } },
          "$.esignSettings.redirectUrl: " +
            `${JSON.stringify(redirectUrl)} is not the address of a web page`,
        ],
      ),
      [
        "for a page after signing of the record that is no address",
        { merged: { redirectUrl: "javascript:alert(1)" } },
        "$.schema[0].connection.redirectUrl: ",
      ],
    ];
    for (const [description, input, message] of cases)
      it(`are rejected ${description}`, async () => {
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
