import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  createLink,
  openAndSubmit,
  waitForFinishedPage,
} from "../../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";

describe("the language of a link's pages", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  let caller: RecordCaller;
  let url = "";
  before(async () => {
    caller = await newRecordCaller(service);
    const expiresAt = "2099-03-01T12:00:00Z";
    ({ url } = await createLink(caller, {
      expiresAt,
      formats: ["pdf", "html"],
    }));
    addOrder(platform, "A");
  });

  async function read(address: string, accepted: string): Promise<string> {
    const headers = { "accept-language": accepted };
    return (await fetch(address, { headers })).text();
  }

  for (const [accepted, language, question] of [
    ["de-AT,de;q=0.9,en;q=0.8", "de", "Dieses Dokument erstellen?"],
    ["nl,de;q=0.5,en;q=0.3", "de", "Dieses Dokument erstellen?"],
    ["en-US,en;q=0.9,de;q=0.8", "en", "Create this document?"],
    ["ja", "en", "Create this document?"],
    ["*", "en", "Create this document?"],
    ["not a header;;", "en", "Create this document?"],
  ] as const)
    it(`is one that the reader accepts: ${accepted}`, async () => {
      expect(await read(`${url}?recordId=A`, accepted))
        .to.contain(`<html lang="${language}">`)
        .and.contain(question);
    });

  it("decides about dates and lists", async () => {
    expect(await read(`${url}?recordId=A`, "de"))
      .to.contain("1. März 2099 um 12:00 (UTC)")
      .and.contain("Ein PDF und eine Webseite");
    expect(await read(`${url}?recordId=A`, "en"))
      .to.contain("1 March 2099 at 12:00 (UTC)")
      .and.contain("A PDF and a web page");
  });

  it("is that of the progress, its updates and errors", async () => {
    const run = await openAndSubmit(url, "A");
    await waitForFinishedPage(run);
    expect(await read(run, "de")).to.contain("Ihr Dokument ist fertig");
    expect(await read(`${run}/state`, "de")).to.contain(
      "Ihr Dokument ist fertig",
    );
    expect(await read(url, "de")).to.contain("Kein Datensatz ausgewählt");
  });
});
