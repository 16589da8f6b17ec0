import { expect } from "chai";
import {
  checkDefinition,
  compileDataChecker,
  renameField,
} from "../../../core/definition/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import {
  accepted,
  createDefinition,
  merged,
  mergedEmail,
  OPTIONS,
  rejects,
  text,
} from "../support.js";

const schema = (root: object[] = [], line: object[] = []) => [
  {
    id: "root",
    fields: [
      { name: "discount", type: "Number" },
      { name: "issuedOn", type: "Date" },
      { name: "customer", type: "OneToOneLink", target: "customer" },
      { name: "lines", type: "OneToManyLink", target: "lines" },
      ...root,
    ],
  },
  {
    id: "lines",
    fields: [
      { name: "title", type: "String" },
      { name: "quantity", type: "Number" },
      { name: "price", type: "Number" },
      ...line,
    ],
  },
  {
    id: "customer",
    fields: [
      { name: "first", type: "String" },
      { name: "last", type: "String" },
      { name: "name", type: "String", computed: 'first ~ " " ~ last' },
    ],
  },
];

const number = (name: string, computed: string) => ({
  name,
  type: "Number",
  computed,
});

const amount = number("amount", "quantity * price");
const total = number("total", "SUM(root.lines, amount)");
const data = {
  discount: 10,
  issuedOn: "2026-03-01",
  customer: { first: "Ada", last: "Lovelace" },
  lines: [
    { title: "A", quantity: 2, price: 9.95 },
    { title: "B", quantity: 1, price: 0.1 },
    { title: "C", quantity: 10, price: 5 },
  ],
};

/** What a text of the template prints. */
function prints(
  source: string,
  root: object[] = [total],
  line: object[] = [amount],
  record: object = data,
): string {
  const written = { schema: schema(root, line), components: [text(source)] };
  const { html } = merged(written, record);
  return /<main><p>([^]*)<\/p>/.exec(html)?.[1] ?? "";
}

describe("computed fields", () => {
  it("are calculated from the fields of their record, in decimals", () => {
    expect(prints("{{ root.lines.1.amount }} {{ root.total }}")).to.equal(
      "0.1 70",
    );
  });

  it("may be written with the id of their collection, and read the root", () => {
    const line = number("net", "lines.quantity * lines.price - root.discount");
    expect(prints("{{ root.lines.2.net }}", [], [line])).to.equal("40");
  });

  it("belong to linked records too", () => {
    expect(prints("{{ root.customer.name | upper }}")).to.equal("ADA LOVELACE");
  });

  it("are dates where they are declared as dates", () => {
    const due = {
      name: "due",
      type: "Date",
      computed: 'DATE_ADD(issuedOn, 14, "days")',
    };
    expect(prints('{{ root.due | date("d MMM yyyy") }}', [due])).to.equal(
      "15 Mar 2026",
    );
  });

  it("filter, sort and group collections, and are added up by groups", () => {
    const size = {
      name: "size",
      type: "String",
      computed: '"large" if amount > 15 else "small"',
    };
    const written = {
      schema: schema([total], [amount, size]),
      components: [
        text("{{ line.title }};", {
          collection: {
            collectionId: "line",
            path: "root.lines",
            filter: {
              combinator: "and",
              rules: [{ field: "amount", operator: ">", value: 1 }],
            },
            sort: [{ field: "amount", direction: "DESC", type: "Number" }],
          },
        }),
        text("{{ group.key }} {{ SUM(group.items, amount) }};", {
          collection: {
            collectionId: "group",
            path: "root.lines",
            groupBy: { field: "size", direction: "ASC" },
          },
        }),
        text("rich", {
          condition: {
            combinator: "and",
            rules: [{ field: "root.total", operator: ">=", value: 70 }],
          },
        }),
      ],
    };
    const { html } = merged(written, data);
    const body = /<main>([^]*)<\/main>/.exec(html)?.[1] ?? "";
    expect(body.replaceAll(/<\/?p>/g, "")).to.equal(
      "C;A;large 69.9;small 0.1;rich",
    );
  });

  it("are read by charts, file names and the subject of an email", () => {
    const chart = {
      type: "chart",
      chart: "bar",
      data: "root.lines",
      label: "title",
      series: [{ field: "amount" }],
    };
    const document = merged(
      {
        schema: schema([total], [amount]),
        fileName: "Total {{ root.total }}",
        components: [chart],
      },
      data,
    );
    expect(document.fileName).to.equal("Total 70");
    expect(document.report.invalidData).to.eql([]);
    const email = mergedEmail(
      {
        schema: schema([total], [amount]),
        email: { subject: "Total {{ root.total }}" },
        components: [text("Hello")],
      },
      data,
    );
    expect(email.title).to.equal("Total 70");
  });

  it("may depend on each other, also from a line to the sum of all lines", () => {
    const share = number("share", "ROUND(amount / root.total, 3)");
    expect(
      prints("{{ SUM(root.lines, share) }}", [total], [amount, share]),
    ).to.equal("0.999");
  });

  it("are evaluated once per record, however often they are read", () => {
    const price = { lines: [{ title: "A", quantity: 2 }] };
    const written = {
      schema: schema([total], [amount]),
      components: [text("{{ root.total }} {{ root.total }} {{ root.total }}")],
    };
    const { report } = merged(written, price);
    expect(report.missing.filter(({ path }) => path.includes("price"))).to.eql([
      {
        path: "root.lines[0].price",
        component: "$.schema[1].fields[3].computed",
      },
    ]);
  });

  it("print nothing where they divide by zero, which is reported", () => {
    const average = number("average", "total / discount");
    const written = {
      schema: schema([total, average], [amount]),
      components: [text("<{{ root.average }}>")],
    };
    const { html, report } = merged(written, { ...data, discount: 0 });
    expect(html).to.include("<p>&lt;&gt;</p>");
    expect(report.invalidData).to.have.length(1);
    expect(report.invalidData[0]).to.include({
      code: "division_by_zero",
      component: "$.schema[0].fields[5].computed",
    });
  });

  it("print nothing where the result is not of their type, which is reported", () => {
    const wrong = number("wrong", 'customer.first ~ "!"');
    const { report } = merged(
      {
        schema: schema([wrong]),
        components: [text("{{ root.wrong * 2 }}")],
      },
      data,
    );
    expect(report.invalidData).to.eql([
      {
        path: "root.wrong",
        component: "$.schema[0].fields[4].computed",
        code: "wrong_type",
        expected: "a number",
        found: 'the text "Ada!"',
        message: 'root.wrong is the text "Ada!", which is not a number.',
        hint: "Send a JSON number, with a point before the decimals and no separators, such as 1234.5.",
      },
    ]);
  });

  it("win over a value of the data, which is reported", () => {
    const sent = { ...data, total: 999 };
    const written = {
      schema: schema([total], [amount]),
      components: [text("{{ root.total }}")],
    };
    const { html, report } = merged(written, sent);
    expect(html).to.include("<p>70</p>");
    expect(report.invalidData).to.have.length(1);
    expect(report.invalidData[0]).to.include({
      path: "root.total",
      code: "computed_field",
      found: "999",
    });
    expect(sent.total).to.equal(999);
  });

  it("are not required of the data, and not checked in it", () => {
    const { schema: collections } = accepted({
      schema: schema([total], [amount]),
    });
    const check = compileDataChecker(collections);
    const options = { unknownFields: "error" } as const;
    expect(check(data, options)).to.eql([]);
    expect(check({ ...data, total: "many" }, options)).to.eql([]);
  });

  it("are renamed with the expressions that read them, and in each other", () => {
    const definition = accepted({
      schema: schema([total], [amount]),
      components: [text("{{ root.total }}")],
    });
    const field = { collectionId: "lines", name: "amount" };
    expect(renameField(definition, field, "net")).to.eql([
      { path: ["schema", 1, "fields", 3, "name"], value: "net" },
      {
        path: ["schema", 0, "fields", 4, "computed"],
        value: "SUM(root.lines, net)",
      },
    ]);
  });

  it("do not change what is merged without them", () => {
    const definition = accepted({ components: [text("{{ root.total }}")] });
    const program = compileTemplate(definition, "document");
    expect(program.merge({ total: 5 }, OPTIONS).html).to.include("<p>5</p>");
  });
});

describe("the check of computed fields", () => {
  it("suggests the field that was meant", () => {
    const wrong = number("wrong", "SUM(root.lines, amuont)");
    const { warnings } = checkDefinition(
      createDefinition({ schema: schema([wrong], [amount]) }),
      "document",
    );
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include({
      path: "$.schema[0].fields[4].computed",
      hint: "Did you mean amount?",
    });
  });

  it("refuses an expression that does not parse", () => {
    rejects(
      { schema: schema([number("wrong", "1 +")]) },
      "$.schema[0].fields[4].computed",
      "A value is missing at the end",
    );
    rejects(
      { schema: schema([number("wrong", "{{ discount }}")]) },
      "$.schema[0].fields[4].computed",
      "Write discount.",
    );
  });

  it("refuses a field that is computed from itself, by name", () => {
    rejects(
      { schema: schema([number("a", "a + 1")]) },
      "$.schema[0].fields[4].computed",
      "root.a is computed from itself",
    );
    rejects(
      {
        schema: schema(
          [number("total", "SUM(root.lines, share)")],
          [number("share", "price / root.total")],
        ),
      },
      "$.schema[0].fields[4].computed",
      "computed from each other: root.total, lines.share, root.total",
    );
  });

  it("refuses a chain of more than 64 fields, forwards and backwards", () => {
    const chain = Array.from({ length: 66 }, (_none, index) =>
      number(`f${index}`, index === 65 ? "1" : `f${index + 1}`),
    );
    for (const fields of [chain, chain.toReversed()])
      expect(
        checkDefinition(
          createDefinition({ schema: schema(fields) }),
          "document",
        ).problems.map(({ code }) => code),
      ).to.eql(["too_deep"]);
    accepted({ schema: schema(chain.slice(3)) });
  });

  it("refuses links, required fields and sources of computed fields", () => {
    rejects(
      {
        schema: schema([
          {
            name: "all",
            type: "OneToManyLink",
            target: "lines",
            computed: "root.lines",
          },
        ]),
      },
      "$.schema[0].fields[4].computed",
      'Unknown property "computed"',
    );
    rejects(
      { schema: schema([{ ...number("a", "1"), required: true }]) },
      "$.schema[0].fields[4].required",
      "not part of the data",
    );
    rejects(
      { schema: schema([{ ...number("a", "1"), source: "fld1" }]) },
      "$.schema[0].fields[4].source",
      "not part of the data",
    );
  });

  it("refuses names that reach a prototype", () => {
    for (const name of ["__proto__", "constructor"])
      rejects(
        { schema: schema([number(name, "1")]) },
        "$.schema[0].fields[4].name",
        "may be named",
      );
  });

  it("warns of a result that is a record or a collection", () => {
    const { warnings } = checkDefinition(
      createDefinition({ schema: schema([number("all", "root.lines")]) }),
      "document",
    );
    expect(warnings.map(({ code }) => code)).to.eql(["prints_nothing"]);
  });
});
