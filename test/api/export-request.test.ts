import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  readError,
  newCaller,
  type TestCaller,
  replies,
} from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

const formats = ["html"];

describe("an invalid export request", () => {
  const service = useService();
  let caller: TestCaller;
  let templateId: string;

  before(async () => {
    caller = await newCaller(service);
    templateId = await publish(service.store, caller);
  });

  for (const [body, named] of [
    [{ templateId: undefined }, "$.templateId: is required"],
    [{ templateId: 5 }, "$.templateId"],
    [{ formats: undefined }, "$.formats: is required"],
    [{ formats: [] }, "$.formats"],
    [{ formats: "pdf" }, "$.formats"],
    [{ formats: ["pdf", "docx"] }, "$.formats[1]"],
    [{ formats: ["html", "html"] }, "each format once"],
    [{ formats: [null] }, "$.formats[0]"],
    [{ templateVersion: "1" }, "$.templateVersion"],
    [{ templateVersion: 1.5 }, "must be a whole number, not 1.5"],
    [{ templateVersion: 1e300 }, "$.templateVersion: must be at most 9"],
    [{ templateVersion: 0 }, "$.templateVersion"],
    [{ data: [] }, "$.data: must be an object"],
    [{ data: null }, "$.data: must be an object"],
    [{ data: "x" }, "$.data: must be an object"],
    [{ expiresAt: 1785600000 }, "$.expiresAt"],
    [{ expiresAt: "soon" }, "$.expiresAt"],
    [{ expiresAt: "2020-01-01" }, "in the past"],
    [{ imageType: "jpeg" }, "$.imageType"],
    [{ isTest: "true" }, "$.isTest"],
    [{ strict: 1 }, "$.strict"],
    [{ renderOptions: { scale: 9 } }, "$.renderOptions.scale"],
    [{ renderOptions: { pages: "x" } }, "$.renderOptions.pages"],
    [{ renderOptions: { colour: 1 } }, "$.renderOptions.colour"],
    [
      { sendForSignature: true },
      "has no connection to an e-signature provider",
    ],
    [{ sendForSignature: true, isTest: true }, "isTest"],
    [
      {
        sendForSignature: true,
        renderOptions: { pdf: { password: { user: "x" } } },
      },
      "$.renderOptions.pdf.password",
    ],
    [
      {
        sendForSignature: true,
        renderOptions: { pdf: { sign: true } },
      },
      "$.renderOptions.pdf.sign",
    ],
    [{ sendForSignature: "yes" }, "$.sendForSignature"],
    [
      { esignSettings: { submitters: [{ email: "a@b.example" }] } },
      "submitters[0].role",
    ],
    [
      {
        esignSettings: {
          submitters: [{ role: "a", email: "a@b.example", values: [] }],
        },
      },
      "values: must be an object, not an array",
    ],
    [
      { esignSettings: { submitters: [{ role: "a", email: "b" }] } },
      "submitters[0].email",
    ],
    [{ templateID: "a" }, "Did you mean templateId?"],
  ] as [object, string][])
    it(`is rejected without a document: ${JSON.stringify(body)}`, async () => {
      const response = await caller.post("/api/export", {
        templateId,
        formats,
        ...body,
      });
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain(named);
      expect(response.headers.get("x-document-id")).to.equal(null);
    });

  it("returns every problem at once", async () => {
    const response = await caller.post("/api/export", {
      formats: ["a"],
      isTest: 1,
      b: 2,
    });
    const error = await readError(response);
    for (const path of ["$.templateId", "$.formats[0]", "$.isTest", "$.b"])
      expect(error).to.contain(path);
  });

  it("has left no document at all", async () => {
    const { pagination } = await replies.documents(
      await caller.get("/api/documents"),
    );
    expect(pagination.total).to.equal(0);
  });
});
