import { expect } from "chai";
import {
  compileTemplate,
  type MergedSigners,
} from "../../../core/compiler/index.js";
import { accepted, OPTIONS, rejects } from "../support.js";

function addressees(connection: object, data: object): MergedSigners {
  const schema = [{ id: "root", fields: [], connection }];
  const program = compileTemplate(accepted({ schema }), "document");
  return program.addressees(data, OPTIONS);
}

const place = "$.schema[0].connection.submitters";

function rejected(submitters: unknown, path: string, words: string): void {
  const schema = [{ id: "root", fields: [], connection: { submitters } }];
  rejects({ schema }, path, words);
}

describe("the signers of a document", () => {
  it("are defined by the template and the record together", () => {
    const connection = {
      expiresInDays: 14,
      redirectUrl: " https://example.com/{{ root.no }}",
      message: { subject: " Sign {{ root.no }}. ", body: "{{ root.none }}" },
      submitters: [
        {
          role: "{{ root.role }}",
          email: " {{ root.mail }} ",
          name: "{{ root.none }}",
          order: 1,
          values: { place: "{{ root.town }}", other: "{{ root.none }}" },
        },
        { role: "Seller", email: "s@example.com", name: "Sam" },
      ],
    };
    const data = { no: 7, role: "Buyer ", mail: "b@example.com", town: "Rome" };
    expect(addressees(connection, data)).to.eql({
      submitters: [
        {
          role: "Buyer",
          email: "b@example.com",
          order: 1,
          values: { place: "Rome" },
          path: `${place}[0]`,
        },
        {
          role: "Seller",
          email: "s@example.com",
          name: "Sam",
          path: `${place}[1]`,
        },
      ],
      message: { subject: "Sign 7." },
      expiresInDays: 14,
      redirectUrl: "https://example.com/7",
    });
  });

  it("are described without field tags from the data", () => {
    const body = "{{ root.name }}, see \\{{submitter.link}}";
    const data = { name: "{{account.name}}" };
    const { message } = addressees({ message: { body } }, data);
    expect(message?.body).to.match(
      /^.?\{.\{account\.name\}.\}.?, see \{\{submitter\.link\}\}$/u,
    );
  });

  it("are one for each element of a collection", () => {
    const submitters = {
      collection: "root.parties",
      role: "Party {{ submitter.number }}",
      email: "{{ submitter.mail }}",
      order: "{{ submitter.turn }}",
    };
    const parties = [{ mail: "a@b.c", turn: "2" }, { mail: "d@e.f" }];
    expect(addressees({ submitters }, { parties }).submitters).to.eql([
      {
        role: "Party 1",
        email: "a@b.c",
        order: 2,
        path: `${place} (root.parties[0])`,
      },
      { role: "Party 2", email: "d@e.f", path: `${place} (root.parties[1])` },
    ]);
    expect(addressees({ submitters }, {}).submitters).to.eql([]);
    expect(() => addressees({ submitters }, { parties: [{ turn: "1.5" }] }))
      .to.throw("The document cannot be signed.")
      .with.property("problems")
      .deep.equal([
        {
          path: `${place} (root.parties[0])`,
          code: "order",
          message:
            'The order of this signer is "1.5", which is not a whole number.',
          hint: "Write an expression that results in a whole number or nothing.",
        },
      ]);
  });

  it("are fixed ones and one for each element of a collection together", () => {
    const submitters = [
      { role: "Seller", email: "s@example.com", order: "{{ root.first }}" },
      {
        collection: "root.parties",
        role: "Party {{ submitter.number }}",
        email: "{{ submitter.mail }}",
        order: 2,
        values: { town: "{{ submitter.town }}" },
      },
      { role: "Witness", email: "w@example.com", order: 3 },
    ];
    const parties = [{ mail: "a@b.c", town: "Rome" }, { mail: "d@e.f" }];
    const data = { first: 1, parties };
    expect(addressees({ submitters }, data).submitters).to.eql([
      { role: "Seller", email: "s@example.com", order: 1, path: `${place}[0]` },
      {
        role: "Party 1",
        email: "a@b.c",
        order: 2,
        values: { town: "Rome" },
        path: `${place}[1] (root.parties[0])`,
      },
      {
        role: "Party 2",
        email: "d@e.f",
        order: 2,
        path: `${place}[1] (root.parties[1])`,
      },
      {
        role: "Witness",
        email: "w@example.com",
        order: 3,
        path: `${place}[2]`,
      },
    ]);
  });

  it("are a single one without a list around it, with its order as a number", () => {
    const submitters = { role: "Client", email: "c@example.com", order: 4 };
    expect(addressees({ submitters }, {}).submitters).to.eql([
      { role: "Client", email: "c@example.com", order: 4, path: place },
    ]);
    const collection = { collection: "root.all", ...submitters };
    const all = addressees({ submitters: collection }, { all: [{}] });
    expect(all.submitters[0]).to.include({ order: 4 });
  });

  it("are checked at their own paths when the template is saved", () => {
    const one = { role: "Client", email: "c@example.com" };
    rejected([{ ...one, order: "first" }], `${place}[0].order`, "whole number");
    rejected({ ...one, order: "first" }, `${place}.order`, "whole number");
    rejected([{ ...one, order: 1.5 }], `${place}[0].order`, "whole number");
    rejected([one, { email: "c@d.e" }], `${place}[1].role`, "missing");
    rejected({ ...one, mail: "c@d.e" }, `${place}.mail`, "email");
    rejected("Client", place, "array or an object");
    rejected(
      [{ ...one, collection: "root.list", name: "{{ party.name }}" }],
      `${place}[0].name`,
      "party",
    );
  });

  it("are none when the template defines none", () => {
    const emptySigners = {
      submitters: [],
      message: null,
      expiresInDays: null,
      redirectUrl: null,
    };
    expect(addressees({}, {})).to.eql(emptySigners);
  });

  it("are defined by expressions that are checked when the template is saved", () => {
    const submitters = [{ role: "{{ nobody.role }}", email: "a@b.c" }];
    const connection = { submitters };
    const schema = [{ id: "root", fields: [], connection }];
    rejects({ schema }, `${place}[0].role`, "nobody");
  });
});
