import { deliveryContractSuite } from "../../../plugins/contract-suite/index.js";
import { sftpPlugin as plugin } from "../../../plugins/sftp/plugin.js";
import { testContract } from "../../support/contract.js";
import { opensshServer, SftpServer } from "../../support/sftp-server.js";

function runSuite(program: string | null): void {
  const suite = deliveryContractSuite({
    plugin,
    async start() {
      const server = await SftpServer.start({ program });
      const credentials = ({ ssh = "" }: Readonly<Record<string, string>>) => {
        const { hostname: host, port } = new URL(ssh);
        return { ...server.credentials, host, port: Number(port) };
      };
      return {
        addresses: { ssh: `tcp://127.0.0.1:${server.port}` },
        credentials,
        wrongCredentials: (addresses) => ({
          ...credentials(addresses),
          password: "another",
        }),
        target: { folder: "suite/2026" },
        list: async () => {
          const files = await server.list();
          return files.map(({ name, bytes }) => ({
            name: name.replace("suite/2026/", ""),
            bytes,
          }));
        },
        close: () => server.close(),
      };
    },
  });
  testContract(suite);
}

describe("the delivery method sftp", () => {
  describe("on a server without extensions", () => runSuite(null));
  // Debian: openssh-sftp-server.
  if (opensshServer !== null)
    describe("on OpenSSH's server", () => runSuite(opensshServer));
});
