import type { ContractSubject } from "../../../plugins/contract-suite/index.js";
import type { CrateCredentials } from "./crate-facts.js";
import { CratePlugin, type Mistakes } from "./crate-plugin.js";
import { CrateServer } from "./crate-server.js";

/** The crate's plugin against a crate of its own. */
export function crateSubject(
  mistakes: Mistakes = {},
): ContractSubject<CrateCredentials> {
  return {
    plugin: new CratePlugin(mistakes),
    start: async () => {
      const server = new CrateServer();
      const url = await server.listen();
      const linked = [0, 30, 130];
      const recordIds = linked.map((count) => server.add(count));
      const expected = Object.fromEntries(
        recordIds.map((id) => [id, server.boxes.get(id)?.inside ?? []]),
      );
      return {
        addresses: { api: url },
        credentials: ({ api = "" }) => ({ url: api, token: "good" }),
        wrongCredentials: ({ api = "" }) => ({ url: api, token: "bad" }),
        fixture: {
          scope: { tableId: "boxes" },
          recordIds,
          unknownRecordId: "b99999",
          unknownScope: { tableId: "barrels" },
          textFieldId: "label",
          links: { fieldId: "inside", expected },
          attachments: {
            fieldId: "papers",
            newRecord: () => Promise.resolve(server.add(0)),
          },
        },
        close: () => server.close(),
      };
    },
  };
}
