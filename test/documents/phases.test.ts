import { expect } from "chai";
import { RENDER_DOCUMENT } from "../../core/documents/index.js";
import { Deadline, formatError } from "../../core/plugin-api/index.js";
import { withRows } from "../support/rows.js";
import { signField, useDocumentsToSign } from "../support/signing-documents.js";

const withPage = (...components: object[]) => ({
  definition: { schema: [], components },
});
const text = { type: "text", text: "Hello" };
const email = {
  templateType: "email",
  ...withPage({ type: "qrcode", value: "x" }),
};

// A render tells its phases as they begin, measures them, and stops once its time is over.
describe("the phases of a render", () => {
  const { service, caller } = useDocumentsToSign();

  async function render(template: object, options: object, stopAt = "") {
    const owner = caller();
    const stop = new AbortController();
    const begun: string[] = [];
    const recorded: string[] = [];
    const ended = service.container.resolve(RENDER_DOCUMENT)(
      {
        organizationId: owner.organizationId,
        createdById: owner.userId,
        templateId: await owner.publish(template),
        formats: ["html"],
        ...options,
      },
      {
        deadline: Deadline.after(60_000, stop.signal),
        onPhase: (phase) => {
          begun.push(phase);
          if (phase === stopAt) stop.abort();
        },
        onRecorded: (id) => recorded.push(id),
      },
    );
    const [measured, error] = await ended.then(
      ({ phases }) => [Object.keys(phases).join(" "), null] as const,
      (thrown: unknown) => [null, formatError(thrown)] as const,
    );
    expect(recorded).to.have.length(1);
    return { begun: begun.join(" "), measured, error };
  }
  const embedFonts = { html: { embedFonts: true } };
  const renders: Record<string, [template: object, options: object]> = {
    "a text": [withPage(text), { formats: ["html", "mjml"] }],
    "a PDF, an image and a preview": [
      withPage(text),
      { formats: ["pdf", "image"], preview: "first" },
    ],
    "an HTML with its fonts, and a PDF that is edited and sent for signature": [
      withPage(signField("Here")),
      { renderOptions: embedFonts, sendForSignature: true },
    ],
    "an email with a drawing and its preview": [email, { preview: "first" }],
  };
  for (const [what, [template, options], begun, measured] of withRows(
    renders,
    `
    a text | load compile merge mjml assets assets store record | load compile merge mjml assets store record
    a PDF, an image and a preview | load compile merge assets assets print draw preview store record | load compile merge assets queue print draw preview store record
    an HTML with its fonts, and a PDF that is edited and sent for signature | load compile merge assets assets print fonts finish store record sign | load compile merge assets queue print fonts finish store record sign
    an email with a drawing and its preview | load compile merge assets assets assets preview store record | load compile merge assets preview store record`,
  ))
    it(`of ${what}`, async () => {
      expect(await render(template, options)).to.deep.equal({
        begun,
        measured,
        error: null,
      });
    });

  const image = { type: "image", src: "https://example.com/x.png", alt: "X" };
  const waited = "it waited for a free page";
  const pdf = { formats: ["pdf"] };
  const first = { preview: "first" };
  for (const [what, content, options, stopAt, begun] of [
    ["fetching images", image, {}, "assets", ""],
    ["drawing images", email, {}, "assets", " assets"],
    ["printing", text, pdf, "merge", " assets"],
    [waited, text, pdf, "print", " assets print"],
    [waited, text, first, "preview", " assets print preview"],
  ] as const)
    it(`end while ${what} when time is over`, async () => {
      const template = content === email ? email : withPage(content);
      expect(await render(template, options, stopAt)).to.deep.equal({
        begun: `load compile merge assets${begun}`,
        measured: null,
        error: `The time limit for this document passed while ${what}. Make the document smaller, or raise PLATEN_RENDER_TIMEOUT.`,
      });
    });

  it("go on when time is over after the last work that takes long", async () => {
    const { error } = await render(withPage(text), {}, "store");
    expect(error).to.equal(null);
  });
});
