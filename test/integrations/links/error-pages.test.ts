import { expect } from "chai";
import { afterEach, before, describe, it } from "mocha";
import { PlatformError } from "../../../core/plugin-api/index.js";
import { Link } from "../../../core/storage/database/index.js";
import { getFormToken, createLink, submitForm } from "../../support/links.js";
import { recordingLog } from "../../support/recording-log.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";

/** A page in words: no JSON, no code, no stack. */
async function readWords(answer: Response): Promise<string> {
  expect(answer.headers.get("content-type")).to.contain("text/html");
  const page = await answer.text();
  expect(page)
    .to.contain("<h1")
    .and.not.match(/"error"|\n\s+at |node:/);
  const [shown = ""] = page.split("<details>");
  expect(shown).to.not.match(/\$\.|HTTP|JSON|API/);
  return shown;
}

describe("the error page of a link", () => {
  const { log, text } = recordingLog();
  const platform = ordersPlatform();
  const service = useRecordService(platform, { log });
  let caller: RecordCaller;
  let url = "";
  before(async () => {
    caller = await newRecordCaller(service);
    ({ url } = await createLink(caller));
    addOrder(platform, "A");
  });
  afterEach(() => {
    platform.beforeCall = () => undefined;
  });

  /** The answer to the button, when the platform fails from then on. */
  async function submitLink(fault: PlatformError): Promise<Response> {
    const form = getFormToken(await (await fetch(`${url}?recordId=A`)).text());
    platform.beforeCall = () => {
      throw fault;
    };
    return submitForm(url, form);
  }

  it("says that no record was chosen", async () => {
    const response = await fetch(url);
    expect(response.status).to.equal(400);
    expect(await readWords(response)).to.contain("No record selected");
  });

  it("says that there are too many records", async () => {
    const ids = Array.from({ length: 1001 }, (_, at) => at).join(",");
    const words = await readWords(await fetch(`${url}?recordId=${ids}`));
    expect(words).to.contain("Too many records");
  });

  it("says that the record belongs to another table or was deleted", async () => {
    const words = await readWords(await fetch(`${url}?recordId=A-l0`));
    expect(words).to.contain("belongs to another table");
  });

  it("says that the link was revoked, also on the page of a run", async () => {
    const revoked = await createLink(caller);
    await caller.delete(`/api/links/${revoked.id}`);
    for (const end of ["?recordId=A", `/${revoked.id}`]) {
      const response = await fetch(revoked.url + end);
      expect(response.status).to.equal(401);
      expect(await readWords(response))
        .to.contain("It was revoked by its owner.")
        .and.to.contain("Ask the person who set this up for you.");
    }
  });

  it("says that the link has expired", async () => {
    const expired = await createLink(caller);
    const expiresAt = new Date(Date.now() - 1000);
    await service.store.unitOfWork.run((tx) =>
      tx.update(Link, { id: expired.id }, { expiresAt }),
    );
    const response = await fetch(`${expired.url}?recordId=A`);
    expect(response.status).to.equal(401);
    expect(await readWords(response))
      .to.contain("This link has expired")
      .and.to.contain("Ask the person who set this up for you.");
  });

  it("says that the link is incomplete", async () => {
    const words = await readWords(
      await fetch(`${url.slice(0, -9)}?recordId=A`),
    );
    expect(words).to.contain("incomplete");
  });

  it("says that the template was deactivated", async () => {
    await caller.patch(`/api/templates/${caller.templateId}`, {
      isActive: false,
    });
    const words = await readWords(await fetch(`${url}?recordId=A`));
    expect(words).to.contain("has changed since the link was created");
    await caller.patch(`/api/templates/${caller.templateId}`, {
      isActive: true,
    });
  });

  for (const [code, message] of [
    ["auth", "can&#39;t access your table"],
    ["not_found", "renamed or deleted"],
    ["unsupported", "renamed or deleted"],
  ] as const)
    it(`explains a platform's ${code}`, async () => {
      const words = await readWords(
        await submitLink(new PlatformError(code, "No.")),
      );
      expect(words).to.contain(message).and.to.contain("Nothing was created");
    });

  it("keeps tokens out of the log", async () => {
    await fetch(`${url}?recordId=A`);
    await fetch(`${url}/state`);
    const written = text();
    expect(written).to.contain('"path":"/run/…"');
    for (const part of (url.split("/").at(-1) ?? "").split("."))
      if (part !== "") expect(written).to.not.contain(part);
  });
});
