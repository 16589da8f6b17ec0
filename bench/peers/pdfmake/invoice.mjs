// The invoice of the demo organization, as near to it as pdfmake comes: same texts, same table, same totals.

const money = new Intl.NumberFormat("en-IE", {
  style: "currency",
  currency: "EUR",
});

const label = (text) => ({ text, style: "label" });
const right = (text, style) => ({ text, style, alignment: "right" });

/** @returns pdfmake's document definition for one record */
export function invoice(record) {
  const { seller, customer, number } = record;
  return {
    pageSize: "A4",
    pageMargins: [62, 96, 51, 74],
    info: { title: `Invoice ${number}` },
    header: {
      margin: [62, 40, 51, 0],
      columns: [
        { text: "Lindvey", style: "brand" },
        right(
          `${seller.name}\n${seller.street}, ${seller.city}\n${seller.email} ${seller.phone}`,
          "small",
        ),
      ],
    },
    footer: (page, pages) => ({
      margin: [62, 20, 51, 0],
      columns: [
        {
          text: `${seller.name} ${seller.register} Managing director ${seller.director} VAT ${seller.vatId}`,
          style: "small",
        },
        { ...right(`Page ${page} of ${pages}`, "small"), width: 60 },
      ],
    }),
    content: [
      {
        columns: [{ text: "Invoice", style: "title" }, right(number, "title")],
      },
      facts(record, customer),
      lines(record),
      totals(record),
      payment(record),
    ],
    styles: {
      title: { fontSize: 30, margin: [0, 0, 0, 18] },
      brand: { fontSize: 15, bold: true },
      small: { fontSize: 7, color: "#6b7078" },
      label: { fontSize: 7, color: "#6b7078" },
      group: { bold: true, color: "#d8412f", margin: [0, 8, 0, 2] },
    },
    defaultStyle: { fontSize: 8.5, lineHeight: 1.2 },
  };
}

function facts(record, customer) {
  const to = [customer.name, customer.contact, customer.street, customer.city];
  return {
    margin: [0, 0, 0, 18],
    columns: [
      [label("Billed to"), [...to, customer.country].join("\n")],
      [label("Project"), record.project, label("Period"), record.period],
      [label("Issued"), record.issuedOn, label("Due"), record.dueOn],
      [label("Order"), record.orderNumber, label("VAT"), customer.vatId],
    ],
  };
}

function lines(record) {
  const head = ["Description", "Quantity", "Rate", "Tax", "Amount"];
  return {
    layout: "lightHorizontalLines",
    table: {
      headerRows: 1,
      widths: ["*", 70, 60, 40, 70],
      body: [
        head.map((text, at) => (at === 0 ? label(text) : right(text, "label"))),
        ...getGroups(record.lines).flatMap(group),
      ],
    },
  };
}

function getGroups(all) {
  const groups = new Map();
  for (const line of all)
    groups.set(line.category, [...(groups.get(line.category) ?? []), line]);
  return [...groups];
}

function group([category, members]) {
  const subtotal = members.reduce((sum, { amount }) => sum + amount, 0);
  return [
    [{ text: category, style: "group", colSpan: 5 }, "", "", "", ""],
    ...members.map(row),
    [
      { text: "Subtotal", colSpan: 4 },
      "",
      "",
      "",
      right(money.format(subtotal)),
    ],
  ];
}

function row(line) {
  return [
    line.description,
    right(`${line.quantity} ${line.unit}`),
    right(money.format(line.rate)),
    right(`${line.taxRate}%`),
    right(money.format(line.amount)),
  ];
}

function totals({ discount, taxes, total }) {
  const rows = [
    [`${discount.label} ${discount.percent}%`, discount.amount],
    ...taxes.map(({ rate, base, amount }) => [
      `VAT ${rate}% of ${money.format(base)}`,
      amount,
    ]),
    ["Total", total],
  ];
  return {
    margin: [240, 10, 0, 18],
    layout: "noBorders",
    table: {
      widths: ["*", 90],
      body: rows.map(([text, amount]) => [text, right(money.format(amount))]),
    },
  };
}

function payment({ notes, bank }) {
  return {
    columns: [
      [label("Notes"), notes],
      [label("Payment"), bank.name, bank.iban, bank.bic],
    ],
  };
}
