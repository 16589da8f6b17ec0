import { expect } from "chai";
import { parseConfig } from "../../../config/index.js";
import { Batch } from "../../../core/storage/database/index.js";
import { FakeAppsScript } from "../../support/fakes/fake-apps-script.js";
import {
  FakeGoogle,
  type FakeSpreadsheet,
} from "../../support/fakes/fake-google.js";
import { useServer } from "../../support/fakes/fake-server.js";
import { newTableCaller, readRecipe } from "../../support/recipes.js";
import type { RecordCaller } from "../../support/records.js";
import { printingBy, temporaryFailure } from "../../support/renderer.js";
import { useService } from "../../support/service.js";

const { batch } = parseConfig({ PLATEN_BATCH_RETRY_DELAYS: "10ms,10ms,10ms" });
const user = "anna@example.com";

describe("the recipe for a menu in Google Sheets", () => {
  const service = useService({
    config: { batch, outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
    replace: printingBy(async (job, real) => {
      if (job.html.includes("Never")) throw temporaryFailure();
      return real(job);
    }),
  });
  const fake = useServer(new FakeGoogle(100_000));
  let spreadsheet: FakeSpreadsheet;
  let caller: RecordCaller;
  let script: FakeAppsScript;
  before(async () => {
    spreadsheet = fake.addSpreadsheet("Sales", [user], {
      Orders: [
        ["ID", "Name", "Documents"],
        [1, "Ada"],
        [2, "Bo"],
        [3, "Cy"],
        ["", "not a record"],
        [4, "Never"],
      ],
    });
    const credentials = {
      clientId: "client",
      clientSecret: "very-secret",
      refreshToken: fake.accounts.addUser(user),
      endpointUrl: fake.url,
    };
    const platform = "google-sheets";
    const table = { platform, baseId: spreadsheet.id, tableId: "Orders" };
    caller = await newTableCaller(service, credentials, table);
    script = new FakeAppsScript(readRecipe("google-sheets-menu.js"));
  });

  const choose = (functionName: string, selection: [number, number][] = []) =>
    script.run(functionName, {
      spreadsheetId: spreadsheet.id,
      name: "Orders",
      rows: spreadsheet.sheets[0]?.rows ?? [],
      selection,
      hiddenRows: [3],
    });
  const listFiles = () =>
    (spreadsheet.sheets[0]?.values(2, 6) ?? []).map(([, , links]) =>
      typeof links === "string"
        ? links.split("\n").map((url) => new URL(url).hash.slice(1))
        : [],
    );
  const enter = (...answers: (string | null)[]) =>
    script.run("askSettings", { answers });

  it("adds a menu whose items are functions of the script", async () => {
    const { menu } = await choose("onOpen");
    expect(menu.map(({ caption }) => caption)).to.deep.equal([
      "Platen > Make documents for selected rows",
      "Platen > Make documents for rows without a file",
      "Platen > Settings…",
    ]);
    const code = readRecipe("google-sheets-menu.js");
    for (const { functionName } of menu)
      expect(code).to.contain(`function ${functionName}()`);
  });

  it("asks for its settings first", async () => {
    const { alerts } = await choose("makeForEmptyRows");
    expect(alerts).to.deep.equal([
      "Platen: Choose Settings… in the menu Platen first.",
    ]);
    const { prompts } = await enter(`${service.url}/`, "plk_wrong", null);
    expect(prompts).to.have.length(3);
    await enter("", "", ` ${caller.templateId} `);
    expect(script.properties).to.deep.equal({
      address: `${service.url}/`,
      key: "plk_wrong",
      templateId: caller.templateId,
    });
  });

  it("shows the message of the service", async () => {
    const { alerts } = await choose("makeForSelectedRows", [[2, 2]]);
    expect(alerts.join()).to.match(/^Platen: .*key/);
    await enter("", caller.key, "");
  });

  it("makes documents for the selected rows that are shown", async () => {
    const { alerts, toasts } = await choose("makeForSelectedRows", [
      [1, 3],
      [4, 5],
    ]);
    expect(alerts).to.deep.equal([]);
    expect(toasts.at(-1)).to.equal("Platen: Done. Documents in the sheet: 2");
    expect(listFiles()).to.eql([["Ada.pdf"], [], ["Cy.pdf"], [], []]);
  });

  it("names rows that no document could be made of, and why", async () => {
    const { alerts } = await choose("makeForEmptyRows");
    expect(alerts).to.deep.equal([
      "Platen: 1 of 2 documents are not in the sheet.\n4: The printer failed.",
    ]);
    expect(listFiles()[1]).to.deep.equal(["Bo.pdf"]);
  });

  it("says that no row is without a file", async () => {
    spreadsheet.sheets[0]?.set(6, 2, "by hand");
    const { alerts } = await choose("makeForEmptyRows");
    expect(alerts).to.deep.equal([
      "Platen: No record has an empty attachment field. Nothing was created.",
    ]);
  });

  it("creates nothing twice when a connection is lost", async () => {
    const earlier = await service.store.read.count(Batch);
    script.lostResponses = 1;
    const { toasts } = await choose("makeForSelectedRows", [[2, 2]]);
    expect(toasts.at(-1)).to.contain("in the sheet: 1");
    expect(await service.store.read.count(Batch)).to.equal(earlier + 1);
  });

  it("names what is missing in the sheet or the selection", async () => {
    const { alerts: unselected } = await choose("makeForSelectedRows");
    expect(unselected.join()).to.contain("Select rows that have a value");
    const { alerts: keyless } = await script.run("makeForSelectedRows", {
      rows: [["Name"], ["Ada"]],
      selection: [[2, 2]],
    });
    expect(keyless.join()).to.contain('"Sheet1" has no column "ID"');
  });

  it("says when its address is another server's", async () => {
    await enter(fake.url, "", "");
    const { alerts } = await choose("makeForEmptyRows");
    expect(alerts.join()).to.match(/^Platen: http.* did not answer as Platen/);
  });
});
