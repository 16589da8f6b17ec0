import { expect } from "chai";
import { before, describe, it } from "mocha";
import { errorText } from "../../core/plugin-api/index.js";
import type { NamedSubmitter } from "../../core/documents/index.js";
import { SignatureRequest } from "../../core/storage/database/index.js";
import { buyer, field, type ToSign, useEsign } from "../support/esign.js";
import { refusalOf, onSqlite } from "../support/store.js";

const asks = (...submitters: NamedSubmitter[]) => ({
  asked: { esignSettings: { submitters } },
});

onSqlite((_open, database) => {
  describe("who signs", () => {
    const bench = useEsign({
      config: { database },
      capabilities: { order: false, expiry: "none", cancel: false },
    });
    const seller = { role: "Seller", email: "seller@example.com" };
    const refused = async (wish: Omit<ToSign, "expiresAt">) =>
      errorText(await refusalOf(bench.settle(wish)));
    const cases: [string, Omit<ToSign, "expiresAt">, string][] = [
      [
        "a role without a submitter",
        { merged: { fields: [field(), field("Seller")] } },
        'nobody is named for the role "Seller"',
      ],
      [
        "a submitter of the caller's without a field",
        asks(buyer, seller),
        '$.esignSettings.submitters[1].role: the document has no field for the role "Seller"',
      ],
      [
        "a wrong address",
        asks({ ...buyer, email: "buyer@" }),
        '$.esignSettings.submitters[0].email: "buyer@" of the role "Buyer" is no e-mail address',
      ],
      [
        "a wrong address of the record's",
        { merged: { submitters: [{ ...buyer, email: "" }] } },
        '$.schema[0].connection.submitters[0].email: "" of the role "Buyer"',
      ],
      ["a role that is named twice", asks(buyer, buyer), "is named twice"],
      [
        "an expiry that has passed",
        { asked: { esignSettings: { expiresAt: "2001-01-01" } } },
        "$.esignSettings.expiresAt: is in the past",
      ],
      [
        "an expiry that nobody can keep",
        { asked: { esignSettings: { expiresAt: "2100-01-01" } } },
        "can neither end a request by itself nor withdraw one",
      ],
      [
        "an order that the provider cannot keep",
        {
          merged: {
            submitters: [buyer, { ...seller, order: 1 }],
            fields: [field(), field("Seller")],
          },
        },
        "no order can be kept",
      ],
      [
        "a document without a sign-field",
        { merged: { fields: [] } },
        "has no sign-field",
      ],
      [
        "a connection that is none",
        { asked: { esignConnection: "7" } },
        '$.esignConnection: "7" is no e-signature connection of the organization',
      ],
    ];
    for (const [what, wish, message] of cases)
      it(`is refused: ${what}`, async () => {
        expect(await refused(wish)).to.include(message);
      });

    it("is refused: no connection at all, another organization's", async () => {
      const asked = { organizationId: "other" };
      expect(await refused({ asked })).to.include(
        "there is no e-signature provider",
      );
      const named = { ...asked, esignConnection: bench.connectionId };
      expect(await refused({ asked: named })).to.include("is no e-signature");
    });

    it("is who the caller says, completed by the template", async () => {
      const id = await bench.send({
        asked: {
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
      const { submitters, warnings } = await bench.get(id);
      expect(submitters.map(({ role, name }) => [role, name])).to.deep.equal([
        ["Buyer", "Ann"],
        ["Seller", "Sam"],
      ]);
      expect(warnings[0]).to.include('"Witness"');
    });
  });

  describe("the order of signers", () => {
    const bench = useEsign({ config: { database } });
    before(() => {
      bench.memory.refuse = (call) => {
        if (call === "start") throw new Error("not now");
      };
    });

    it("is told in groups from 0 without gaps", async () => {
      const roles = ["A", "B", "C", "D"];
      const orders = [7, undefined, 2.5, 7];
      const id = await bench.send({
        merged: {
          submitters: roles.map((role, at) => ({
            role,
            email: "one@example.com",
            order: orders[at],
          })),
          fields: roles.map((role) => field(role)),
        },
      });
      const row = await bench.service.store.read.findOneByOrFail(
        SignatureRequest,
        { id },
      );
      expect(row.submitters.map(({ order }) => order)).to.deep.equal([
        2, 0, 1, 2,
      ]);
    });
  });
});
