import type {
  ContractSubject,
  StartedServer,
} from "../../../plugins/contract-suite/index.js";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import { createGoogleSheetsPlugin } from "../../../plugins/google-sheets/plugin.js";
import type { GoogleCredentials } from "../../../plugins/google-sheets/client.js";
import {
  answerConsent,
  FakeGoogle,
  type FakeSpreadsheet,
} from "../../support/fakes/fake-google.js";

/** The plugin for Google Sheets and a filled fake, for the contract suite. */
export const googleSubject: ContractSubject<GoogleCredentials> = {
  // At a pace that ends the suite in time: its own is the host's matter.
  plugin: createGoogleSheetsPlugin(3000),
  async start() {
    const fake = await FakeGoogle.start(100_000);
    const user = "anna@example.com";
    const refreshToken = fake.accounts.addUser(user);
    const client = fake.accounts.consent.addClient(
      "https://platen.example.com/studio/connections/return",
    );
    const keys = Array.from({ length: 130 }, (_, at) => `I${at}`);
    const items = keys.map((key) => [key, `Item ${key}`]);
    const linked = [keys, keys.slice(0, 26), keys.slice(0, 1)];
    const orders = linked.map((some, at) => [
      at + 1,
      `Order ${at}`,
      some.join(", "),
    ]);
    const spreadsheet = fake.addSpreadsheet("Sales", [user], {
      Items: [["ID", "Name"], ...items],
      Orders: [["ID", "Name", "Items", "Documents"], ...orders],
      Returns: [["ID", "Name"]],
    });
    const [, , returns] = spreadsheet.sheets;
    // Nothing but the header, since the rows below it were deleted.
    if (returns) returns.gridSize = [1, 2];
    return server(
      fake,
      spreadsheet,
      { ...client, refreshToken },
      { "1": keys, "2": keys.slice(0, 26), "3": keys.slice(0, 1) },
    );
  },
};

function server(
  fake: FakeGoogle,
  { id: baseId, sheets }: FakeSpreadsheet,
  user: { clientId: string; clientSecret: string; refreshToken: string },
  expected: Readonly<Record<string, readonly string[]>>,
): StartedServer<GoogleCredentials> {
  const credentials = ({ api = "" }: Readonly<Record<string, string>>) => ({
    ...user,
    endpointUrl: api,
    links: [{ sheet: "Orders", column: "Items", to: "Items" }],
  });
  const orders = sheets[1];
  return {
    addresses: { api: fake.url },
    credentials,
    wrongCredentials: (addresses) => ({
      ...credentials(addresses),
      refreshToken: "revoked-token",
    }),
    fixture: {
      scope: { baseId, tableId: "Orders" },
      recordIds: Object.keys(expected),
      unknownRecordId: "9999",
      unknownScope: { baseId, tableId: "Nowhere" },
      textFieldId: "Name",
      links: { fieldId: "Items", expected },
      attachments: {
        fieldId: "Documents",
        newRecord: () => {
          const key = `N${orders?.rows.length}`;
          orders?.rows.push([key, "Empty"]);
          return Promise.resolve(key);
        },
        bytesOf: ({ remoteId }) =>
          Promise.resolve(
            fake.drive.files.get(remoteId)?.bytes ?? new Uint8Array(),
          ),
      },
      consent: async (page) => (await answerConsent(page)).get("code") ?? "",
      selections: [
        {
          selection: { filter: { Name: ["Order 2", "Order 0"] } },
          expected: ["1", "3"],
        },
        {
          selection: { filter: { ID: { min: 2, max: 3 } } },
          expected: ["2", "3"],
        },
        {
          selection: { filter: { Name: "Order 1", Documents: null } },
          expected: ["2"],
        },
      ],
    },
    close: () => fake.close(),
  };
}

/** Calls the plugin as the service does, with these credentials and a higher rate. */
export function googleHost(
  credentials: GoogleCredentials,
): SuiteHost<GoogleCredentials> {
  return new SuiteHost(createGoogleSheetsPlugin(3000), credentials);
}
