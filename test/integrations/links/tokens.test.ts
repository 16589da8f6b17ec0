import { expect } from "chai";
import { acceptedBatchSchema } from "../../../core/api/routes/batches.js";
import {
  waitForWriteBacks,
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";
import { readError, refusal, reader } from "../../support/caller.js";
import { createLink, soon, tomorrow } from "../../support/links.js";

const readAccepted = reader(acceptedBatchSchema);

describe("a link's token instead of an API key", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  let caller: RecordCaller;
  let token = "";
  before(async () => {
    caller = await newRecordCaller(service);
    ({ token } = await createLink(caller));
    for (const id of ["A", "B", "C"]) addOrder(platform, id);
  });

  const send = (body: object, headers: object = {}, path = "memory") =>
    fetch(`${service.url}/api/export/batch/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  it("generates the link's documents and saves them in its field when sent as a header", async () => {
    const authorization = `Link ${token}`;
    const answer = await send({ recordIds: ["A"] }, { authorization });
    const { batchId } = await readAccepted(answer, 202);
    const batch = await waitForWriteBacks(caller, batchId);
    expect(batch.createdById).to.equal(caller.userId);
    expect(platform.listFiles("A")).to.deep.equal(["Order A.html"]);
  });

  it("does the same when sent in the body, also with the link's own values", async () => {
    const { templateId } = caller;
    const more = { templateId, tableId: "Orders", formats: ["html"] };
    const answer = await send({ token, recordIds: ["B"], ...more });
    const { documents } = await readAccepted(answer, 202);
    expect(documents[0]?.metadata).to.include({ recordId: "B" });
  });

  for (const [name, value] of Object.entries({
    templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
    tableId: "Lines",
    baseId: "other",
    connectionId: "other",
    attachmentField: "Number",
    formats: ["pdf"],
    overwriteExisting: true,
    templateVersion: 1,
  }))
    it(`returns 400 for a different ${name}`, async () => {
      const answer = await send({ token, recordIds: ["A"], [name]: value });
      expect(answer.status).to.equal(400);
      expect(await readError(answer)).to.contain(`$.${name}`);
    });

  it("returns 400 for another platform", async () => {
    const answer = await send({ token, recordIds: ["A"] }, {}, "airtable");
    expect(await readError(answer)).to.equal(
      "This link only generates documents from one template and from one table of memory.",
    );
  });

  it("returns 400 for a record of another table and names it", async () => {
    expect(await refusal(send({ token, recordIds: ["A-l0"] }))).to.equal(
      '400 Some records do not exist. $.recordIds[0]: The table "Orders" has no record "A-l0".',
    );
  });

  it("gives access to no other route", async () => {
    const authorization = `Link ${token}`;
    for (const path of ["/api/templates", "/api/links", "/api/documents"]) {
      const response = await fetch(service.url + path, {
        headers: { authorization },
      });
      expect(response.status, path).to.equal(401);
    }
  });

  it("returns 401 for a revoked link and for an expired one", async () => {
    const revoked = await createLink(caller);
    await caller.delete(`/api/links/${revoked.id}`);
    const expiring = await createLink(caller, { expiresAt: soon() });
    for (const [link, message] of [
      [revoked, "This link was revoked by its owner. Ask for a new one."],
      [
        expiring,
        `This link expired at ${expiring.expiresAt}. Ask for a new one.`,
      ],
    ] as const) {
      const answer = tomorrow(() =>
        send({ token: link.token, recordIds: ["A"] }),
      );
      expect(await refusal(answer)).to.equal(`401 ${message}`);
    }
  });

  for (const [description, corrupt] of Object.entries({
    "one character more": (text: string) => `${text}x`,
    "one part less": (text: string) => text.split(".").slice(1).join("."),
    nothing: () => "x",
  }))
    it(`returns 401 for a token with ${description}`, async () => {
      const answer = send({ token: corrupt(token), recordIds: ["A"] });
      expect(await refusal(answer)).to.equal(
        "401 This link is incomplete or does not belong to this service. Copy it again from where it was created. $.token: is not valid.",
      );
    });

  it("is not accepted as an API key, and a key is not accepted as a token", async () => {
    const asKey = await send({ recordIds: ["A"] }, { "x-api-key": token });
    expect(asKey.status).to.equal(401);
    const authorization = `Bearer ${caller.key}`;
    const bearer = await send({ recordIds: ["A"] }, { authorization });
    expect(await readError(bearer)).to.equal(
      "The Authorization header only accepts links, as `Authorization: Link <token>`. Send an API key in x-api-key.",
    );
  });
});
