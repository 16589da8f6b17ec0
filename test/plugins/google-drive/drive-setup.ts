import type { DeliverySubject } from "../../../plugins/contract-suite/index.js";
import {
  type DriveCredentials,
  googleDrivePlugin,
} from "../../../plugins/google-drive/plugin.js";
import { answerConsent, FakeGoogle } from "../../support/fakes/fake-google.js";

/**
 * The plugin for Google Drive and a folder in a Shared Drive, for the contract suite.
 * @param startFake starts what is closed with it.
 */
export function createDriveSubject(
  startFake = () => FakeGoogle.start(),
): DeliverySubject<DriveCredentials> {
  return {
    plugin: googleDrivePlugin,
    async start() {
      const fake = await startFake();
      const { accounts, drive, url } = fake;
      const client = accounts.consent.addClient(
        "https://platen.example.com/studio/connections/return",
      );
      const shared = {
        ...client,
        refreshToken: accounts.addUser("anna@example.com", ["drive"]),
        folderId: drive.addSharedFolder(),
      };
      const credentials = ({
        api: endpointUrl = "",
      }: Readonly<Record<string, string>>) => ({ ...shared, endpointUrl });
      return {
        addresses: { api: url },
        credentials,
        wrongCredentials: (addresses) => ({
          ...credentials(addresses),
          refreshToken: "revoked-token",
        }),
        target: { folder: "suite/2026" },
        list: async () => drive.listFiles(),
        consent: async (page) => (await answerConsent(page)).get("code") ?? "",
        close: () => fake.close(),
      };
    },
  };
}
