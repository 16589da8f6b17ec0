import { expect } from "chai";
import { confirmNumbers } from "../../core/documents/render/numbers.js";
import { AuditEvent, Document } from "../../core/storage/database/index.js";
import { Numbers } from "../../core/documents/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { newCaller, replies, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { eachDatabase } from "../support/store.js";

const year = new Date().getUTCFullYear();
const numbered = (value: number) =>
  `RE-${year}-${String(value).padStart(4, "0")}`;
const PATTERN = "RE-{yyyy}-{0000}";

const invoice = (name: string) => ({
  schema: [
    {
      id: "root",
      fields: [
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
  ],
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

    it("goes to the next document when the process of its own died, which then cannot record it", async () => {
      const numbers = service.container.resolve(Numbers);
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
      const numbers = service.container.resolve(Numbers);
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
        const numbers = service.container.resolve(Numbers);
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

    it("is listed as open while its document is printed, and as free when that failed", async () => {
      const numbers = service.container.resolve(Numbers);
      const use = { name: "open", pattern: "A{0}", period: "", dated: "A{0}" };
      const deadline = Date.now() + 60_000;
      const reserved = await numbers.reserve(owner("doc_b"), [use], deadline);
      const list = async () =>
        (await numbers.list(caller.organizationId)).find(
          ({ name }) => name === "open",
        )?.open;
      const open = { value: 1, number: "A1" };
      expect(await list()).to.eql([{ ...open, documentId: "doc_b" }]);
      await numbers.release(reserved);
      expect(await list()).to.eql([{ ...open, documentId: null }]);
      await numbers.reserve(owner("doc_c"), [use], Date.now() - 3_600_000);
      expect(await list()).to.eql([{ ...open, documentId: null }]);
    });

    it("is set with an entry in the audit log", async () => {
      const set = (nextValue: number) =>
        caller.put("/api/sequences/moved", { pattern: PATTERN, nextValue });
      for (const nextValue of [418, 500])
        expect((await set(nextValue)).status).to.equal(200);
      const events = await service.store.read.findBy(AuditEvent, {
        organizationId: caller.organizationId,
        action: "sequence.changed",
      });
      expect(events.map(({ details }) => details)).to.have.deep.members([
        { name: "moved", period: String(year), before: 1, next: 418 },
        { name: "moved", period: String(year), before: 418, next: 500 },
      ]);
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
