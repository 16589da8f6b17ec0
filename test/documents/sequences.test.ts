import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { confirmNumbers } from "../../core/documents/numbers.js";
import { NUMBERS } from "../../core/documents/tokens.js";
import { AuditEvent, Document } from "../../core/storage/database/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import {
  newCaller,
  readError,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { useService } from "../support/service.js";
import { eachDatabase } from "../support/store.js";

const year = new Date().getUTCFullYear();
const numbered = (value: number) =>
  `RE-${year}-${String(value).padStart(4, "0")}`;
const PATTERN = "RE-{yyyy}-{0000}";

const invoice = (name: string, ...more: object[]) => ({
  schema: [
    {
      id: "root",
      fields: [
        { name: "logo", type: "String" },
        {
          name: "number",
          type: "String",
          computed: `sequence("${name}", "${PATTERN}")`,
        },
      ],
    },
  ],
  fileName: "{{ root.number }}",
  components: [
    { type: "text", text: "Invoice {{ root.number }}" },
    { type: "text", text: "Pay {{ root.number }}" },
    ...more,
  ],
});

const listed = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      period: z.string(),
      nextValue: z.number(),
      nextNumber: z.string(),
      open: z.array(z.object({ value: z.number(), number: z.string() })),
    }),
  ),
});

const byText = (one: string, other: string) => (one < other ? -1 : 1);

eachDatabase((_open, database) => {
  describe("a number of a sequence", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;

    before(async () => {
      caller = await newCaller(service);
    });

    const save = (written: object, owner = caller) =>
      owner.publish({ definition: written });
    const send = (templateId: string, body: object = {}) =>
      caller.post("/api/export", {
        templateId,
        formats: ["html"],
        data: {},
        ...body,
      });
    /** The numbers that a document prints, each once. */
    const print = async (templateId: string, body: object = {}) => {
      const { html } = await replies.exported(await send(templateId, body));
      const texts = (html?.htmlDocument ?? "").match(/RE-[\d-]+/g) ?? [];
      return [...new Set<string>(texts)];
    };
    const owner = (documentId: string, lockToken: string | null = null) => ({
      organizationId: caller.organizationId,
      documentId,
      lockToken,
    });
    const list = async (name: string) => {
      const response = await caller.get("/api/sequences");
      const { data } = listed.parse(await response.json());
      return data.filter((one) => one.name === name);
    };

    it("is the next one for each document, and the same wherever the document prints it", async () => {
      const id = await save(invoice("plain"));
      expect(await print(id)).to.eql([numbered(1)]);
      expect(await print(id)).to.eql([numbered(2)]);
      expect(await list("plain")).to.eql([
        {
          name: "plain",
          period: String(year),
          nextValue: 3,
          nextNumber: numbered(3),
          open: [],
        },
      ]);
    });

    it("is named in the document's metadata and in the names of its files", async () => {
      const id = await save(invoice("named"));
      const response = await send(id, { formats: ["pdf"] });
      const { pdf } = await replies.exported(response);
      expect(pdf?.url).to.include(`${numbered(1)}.pdf`);
      const documentId = response.headers.get("x-document-id") ?? "";
      const view = await caller.get(`/api/documents/${documentId}`);
      expect(await view.json()).to.have.nested.property(
        "metadata.platen.numbers.named",
        numbered(1),
      );
    });

    it("is zeros in a test, which takes none", async () => {
      const id = await save(invoice("tested"));
      expect(await print(id, { isTest: true })).to.include(numbered(0));
      expect(await list("tested")).to.eql([]);
    });

    it("is not taken by a document that does not print it", async () => {
      const id = await save({
        ...invoice("hidden"),
        fileName: "Draft",
        components: [
          {
            type: "text",
            text: "{{ root.number }}",
            condition: {
              combinator: "and",
              rules: [{ field: "root.logo", operator: "notEmpty" }],
            },
          },
        ],
      });
      expect(await print(id)).to.eql([]);
      expect(await list("hidden")).to.eql([]);
      expect(await print(id, { data: { logo: "a" } })).to.eql([numbered(1)]);
    });

    it("goes to the next document when its own fails after it was reserved", async () => {
      const id = await save(
        invoice("failed", { type: "image", src: "{{ root.logo }}" }),
      );
      const broken = await send(id, {
        data: { logo: "https://127.0.0.1/none.png" },
        renderOptions: { failedAssets: "fail" },
      });
      expect(broken.ok, await broken.text()).to.equal(false);
      expect((await list("failed"))[0]).to.deep.include({
        nextValue: 2,
        open: [{ value: 1, number: numbered(1) }],
      });
      expect(await print(id)).to.include(numbered(1));
      expect(await print(id)).to.include(numbered(2));
    });

    it("goes to the next document when the process of its own died, which then cannot record it", async () => {
      const numbers = service.container.resolve(NUMBERS);
      const use = {
        name: "died",
        pattern: PATTERN,
        period: String(year),
        dated: `RE-${year}-{0000}`,
      };
      const longAgo = Date.now() - 3_600_000;
      const dead = await numbers.reserve(owner("doc_dead"), [use], longAgo);
      const id = await save(invoice("died"));
      expect(await print(id)).to.include(numbered(1));
      const late = await service.store.unitOfWork
        .run((tx) => confirmNumbers(tx, dead))
        .catch((error: unknown) => error);
      expect(late).to.include({ code: "timeout" });
      await numbers.release(dead);
      expect(await print(id)).to.include(numbered(2));
    });

    it("goes back to its document when that is claimed again, and not to the worker that lost it", async () => {
      const numbers = service.container.resolve(NUMBERS);
      const use = { name: "claims", pattern: "{0}", period: "", dated: "{0}" };
      const response = await send(await save(invoice("claimed")));
      const id = response.headers.get("x-document-id") ?? "";
      const claim = (lockToken: string) =>
        service.store.unitOfWork.run((tx) =>
          tx.update(Document, { id }, { lockToken }),
        );
      const reserve = async (lockToken: string) => {
        const deadline = Date.now() + 60_000;
        return numbers.reserve(owner(id, lockToken), [use], deadline);
      };
      await claim("first");
      const first = await reserve("first");
      await claim("second");
      const second = await reserve("second");
      const late = await reserve("first");
      expect([first, second, late].map(([number]) => number?.text)).to.eql([
        "1",
        "1",
        "2",
      ]);
      await service.store.unitOfWork.run((tx) => confirmNumbers(tx, second));
    });

    for (const [direction, offsetMs] of [
      ["ahead", 3_600_000],
      ["behind", -3_600_000],
    ] as const)
      it(`stays with its document when the clock of another node is an hour ${direction}`, async () => {
        const numbers = service.container.resolve(NUMBERS);
        const use = {
          name: `clock ${direction}`,
          pattern: "{0}",
          period: "",
          dated: "{0}",
        };
        const reserve = async (documentId: string) => {
          const deadline = Date.now() + 60_000;
          const [number] = await numbers.reserve(
            owner(documentId),
            [use],
            deadline,
          );
          return number?.text;
        };
        expect([
          await reserve("doc_right"),
          await withClock(offsetMs, () => reserve("doc_wrong")),
          await reserve("doc_last"),
        ]).to.eql(["1", "2", "3"]);
      });

    it("is given once, however many documents ask at the same time", async () => {
      const id = await save(invoice("crowd"));
      const texts = await Promise.all(
        Array.from({ length: 24 }, () => print(id)),
      );
      const firsts = texts.map(([first = ""]) => first).toSorted(byText);
      expect(firsts).to.eql(
        Array.from({ length: 24 }, (_, index) => numbered(index + 1)),
      );
    });

    it("has no gaps in a batch", async () => {
      const own = await newBatchCaller(service);
      const id = await save(invoice("batch"), own);
      const { batchId } = await sendBatch(own, {
        templateId: id,
        formats: ["html"],
        items: Array.from({ length: 30 }, () => ({ data: {} })),
      });
      await batchWhen(own, batchId);
      const found = await own.get(
        `/api/documents?batchId=${batchId}&pageSize=100`,
      );
      const names = JSON.stringify(await found.json()).match(/RE-\d+-\d+/g);
      expect([...new Set(names)].toSorted()).to.eql(
        Array.from({ length: 30 }, (_, index) => numbered(index + 1)),
      );
    });

    it("can be set to go on where another system stopped, with an entry in the audit log", async () => {
      const id = await save(invoice("moved"));
      const set = (nextValue: number, body: object = {}) =>
        caller.put("/api/sequences/moved", {
          pattern: PATTERN,
          nextValue,
          ...body,
        });
      expect((await set(418)).status).to.equal(200);
      expect(await print(id)).to.include(numbered(418));
      const low = await set(418);
      expect([low.status, await readError(low)]).to.eql([
        409,
        'Number 418 of the sequence "moved" exists already. The next one is 419 or higher.',
      ]);
      for (const period of ["soon", "2027-03", ""])
        expect(await readError(await set(1, { period }))).to.include(
          `"${period}" is not a period of the pattern`,
        );
      const pattern = "RE-{yyyy}{MM}-{000}";
      const past = { pattern, period: "2025-03" };
      expect(await (await set(7, past)).json()).to.include({
        nextNumber: "RE-202503-007",
      });
      for (const period of ["2025-13", "2025-3"])
        expect((await set(7, { pattern, period })).status).to.equal(400);
      expect((await set(1, { pattern: "RE-{yyyy}" })).status).to.equal(400);
      const events = await service.store.read.findBy(AuditEvent, {
        organizationId: caller.organizationId,
        action: "sequence.changed",
      });
      expect(events.map(({ details }) => details)).to.deep.include({
        name: "moved",
        period: String(year),
        before: 1,
        next: 418,
      });
    });

    it("is separate for each organization", async () => {
      const id = await save(invoice("shared"));
      expect(await print(id)).to.include(numbered(1));
      const other = await newCaller(service);
      const theirs = await save(invoice("shared"), other);
      const { html } = await replies.exported(
        await other.post("/api/export", {
          templateId: theirs,
          formats: ["html"],
          data: {},
        }),
      );
      expect(html?.htmlDocument).to.include(numbered(1));
    });

    it("is refused with two patterns in one document, and with a pattern that has no number", async () => {
      const id = await save(
        invoice("double", {
          type: "text",
          text: '{{ sequence("double", "X-{0000}") }}',
        }),
      );
      expect(await readError(await send(id))).to.equal(
        'The document has one number of the sequence "double", but two patterns for it: RE-{yyyy}-{0000} and X-{0000}. Write the same pattern everywhere, or give one of them another name.',
      );
      const response = await caller.post("/api/templates", {
        name: "A",
        templateType: "document",
        definition: {
          schema: [],
          components: [
            { type: "text", text: '{{ sequence("a", "RE-{yyyy}-{no}") }}' },
          ],
        },
      });
      expect(await readError(response)).to.equal(
        '$.components[0].text: sequence: The pattern has the unknown part {no}. It may have {yyyy}, {yy}, {MM}, {dd} and zeros, such as {0000}. Write sequence("invoices", "RE-{yyyy}-{0000}").',
      );
    });
  });
});

/** Runs the work with a clock that is off, as on another node. */
async function withClock<T>(
  offsetMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const TrueDate = Date;
  const now = () => TrueDate.now() + offsetMs;
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, args: unknown[]) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args),
    get: (target, key): unknown =>
      key === "now" ? now : Reflect.get(target, key),
  });
  try {
    return await work();
  } finally {
    globalThis.Date = TrueDate;
  }
}
