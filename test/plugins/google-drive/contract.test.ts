import { after, describe, it } from "mocha";
import { deliveryContractSuite } from "../../../plugins/contract-suite/index.js";
import { googleDrivePlugin } from "../../../plugins/google-drive/plugin.js";
import { answerConsent, FakeGoogle } from "../../support/fakes/fake-google.js";

describe("the delivery method google-drive", () => {
  const { checks, close } = deliveryContractSuite({
    // At a pace that ends the suite in time: its own is the host's matter.
    plugin: googleDrivePlugin,
    async start() {
      const fake = await FakeGoogle.start();
      const refreshToken = fake.accounts.addUser("anna@example.com", ["drive"]);
      const client = fake.accounts.consent.addClient(
        "https://platen.example.com/studio/connections/return",
      );
      const folderId = fake.drive.addSharedFolder();
      const credentials = ({
        api: endpointUrl = "",
      }: Readonly<Record<string, string>>) => ({
        ...client,
        refreshToken,
        folderId,
        endpointUrl,
      });
      return {
        addresses: { api: fake.url },
        credentials,
        wrongCredentials: (addresses) => ({
          ...credentials(addresses),
          refreshToken: "revoked-token",
        }),
        target: { folder: "suite/2026" },
        list: async () =>
          [...fake.drive.files.values()]
            .filter(({ mimeType }) => !mimeType.endsWith(".folder"))
            .map(({ name, bytes }) => ({ name, bytes })),
        consent: async (page) => (await answerConsent(page)).get("code") ?? "",
        close: () => fake.close(),
      };
    },
  });
  after(close);
  for (const { title, run } of checks) it(title, run);
});
