import { expect } from "chai";
import { z } from "zod";
import {
  createDeliveryFile,
  DeliverySession,
} from "../../../plugins/contract-suite/delivery-session.js";
import {
  type DeliverySubject,
  deliveryContractSuite,
} from "../../../plugins/contract-suite/index.js";
import {
  type DriveCredentials,
  googleDrivePlugin,
} from "../../../plugins/google-drive/plugin.js";
import { testContract } from "../../support/contract.js";
import { answerConsent, FakeGoogle } from "../../support/fakes/fake-google.js";
import { useServer } from "../../support/fakes/fake-server.js";
import { useService } from "../../support/service.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

/**
 * The plugin for Google Drive and a folder in a Shared Drive, for the contract suite.
 * @param startFake starts what is closed with it.
 */
function createDriveSubject(
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

describe("the delivery method google-drive", () =>
  testContract(deliveryContractSuite(createDriveSubject())));

describe("two deliveries that create a file of the same name in Google Drive at once", () => {
  const fake = useServer(new FakeGoogle());
  let session: DeliverySession<DriveCredentials>;
  before(async () => {
    session = await DeliverySession.start(createDriveSubject(async () => fake));
  });
  after(() => session.close());

  /** Two requests with a file of one name, and other content. */
  function createRequests(name: string) {
    const filename = `${name}.pdf`;
    const requests = ["one", "other"].map((text) => {
      const content = new TextEncoder().encode(`${name}: ${text}`);
      const file = { ...createDeliveryFile(name, content), filename };
      return session.createRequest(file);
    });
    return { filename, requests };
  }

  /** Holds the first two uploads until both have found no file of the name. */
  function holdUploads(): void {
    const held: (() => void)[] = [];
    let count = 0;
    fake.drive.beforeUpload = () =>
      new Promise((resolve) => {
        count += 1;
        held.push(resolve);
        if (count >= 2) for (const release of held) release();
      });
  }

  async function findTexts(filename: string): Promise<string[]> {
    const found = await session.find(filename);
    return found.map(({ bytes }) => Buffer.from(bytes).toString());
  }

  for (const [when, now] of [
    ["one after the other", Date.now],
    ["in the same millisecond", () => Date.UTC(2026, 0, 1)],
  ] as const)
    it(`leave one file with the content of one of them, created ${when}`, async () => {
      const { filename, requests } = createRequests(`Created ${when}`);
      fake.drive.now = now;
      holdUploads();
      const receipts = await Promise.all(
        requests.map((request) => session.deliver(request)),
      );
      fake.drive.now = Date.now;
      const texts = await findTexts(filename);
      expect(texts).to.have.length(1);
      expect(texts[0]).to.match(/: (one|other)$/);
      const [first, second] = receipts;
      expect(first?.id).to.equal(second?.id);
      expect(first?.warnings ?? second?.warnings).to.equal(undefined);
    });

  it("leave one file when the second is repeated after its file could not be removed", async () => {
    const { filename, requests } = createRequests("Repeated");
    holdUploads();
    fake.drive.beforeTrash = () => {
      fake.drive.beforeTrash = () => undefined;
      throw new Error("Drive is not available");
    };
    const results = await Promise.allSettled(
      requests.map((request) => session.deliver(request)),
    );
    const failed = results.findIndex(({ status }) => status === "rejected");
    expect(results.map(({ status }) => status)).to.have.members([
      "fulfilled",
      "rejected",
    ]);
    expect(await findTexts(filename)).to.have.length(2);
    const [again = session.createRequest()] = requests.slice(failed);
    await session.deliver(again);
    const text = failed === 0 ? "one" : "other";
    expect(await findTexts(filename)).to.deep.equal([`Repeated: ${text}`]);
  });

  it("say that two are left where the account may not remove one", async () => {
    const { filename, requests } = createRequests("Kept");
    fake.drive.contributors.add("anna@example.com");
    holdUploads();
    const receipts = await Promise.all(
      requests.map((request) => session.deliver(request)),
    );
    fake.drive.contributors.clear();
    const [warning, ...others] = receipts.flatMap(
      ({ warnings = [] }) => warnings,
    );
    expect(others).to.deep.equal([]);
    expect(warning).to.include(`two files of this name`).and.include(filename);
    expect(new Set(await findTexts(filename)).size).to.equal(1);
  });
});

const at = "/studio/api/authorizations";

const page = z.object({ url: z.string() });

const saved = z.object({ connectionId: z.string() });

describe("Google Drive as a delivery method, authorized by a person's consent", () => {
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  const fake = useServer(new FakeGoogle());
  let credentials: Record<string, string>;
  before(() => {
    const returnUrl = `${service.url}/studio/connections/return`;
    const client = fake.accounts.consent.addClient(returnUrl);
    const folderId = fake.drive.addSharedFolder();
    credentials = { ...client, folderId, endpointUrl: fake.url };
  });

  /** Begins, and returns Google's page. */
  async function begin(
    visitor: TestVisitor,
    target: object = { delivery: "google-drive", name: "Archive", credentials },
  ): Promise<string> {
    const response = await visitor.send("POST", at, target);
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    return page.parse(JSON.parse(text)).url;
  }

  it("asks for the files in Drive alone, and saves a connection that works", async () => {
    const visitor = await newVisitor(service);
    const url = await begin(visitor);
    expect(new URL(url).searchParams.get("scope")).to.equal(
      "https://www.googleapis.com/auth/drive",
    );
    const id = await consent(visitor, url);
    const shown = await (await visitor.get(`/api/connections/${id}`)).text();
    expect(shown)
      .to.contain('"delivery":"google-drive"')
      .and.contain(credentials["folderId"])
      .and.not.contain("refresh-");
    expect(await test(visitor, id))
      .to.contain('"working"')
      .and.contain("anna@example.com")
      .and.contain('"warnings":[]');
  });

  it("refuses other delivery methods, unknown ones, and settings that Drive does not have", async () => {
    const visitor = await newVisitor(service);
    const cases: [object, string][] = [
      [{ delivery: "sftp", credentials: sftp }, "has no page to authorize"],
      [{ delivery: "pigeon", credentials }, 'no delivery method \\"pigeon\\"'],
      [{ credentials: { ...credentials, colour: "red" } }, "colour"],
    ];
    for (const [change, message] of cases) {
      const target = { delivery: "google-drive", name: "Archive", ...change };
      const response = await visitor.send("POST", at, target);
      expect(response.status).to.be.within(400, 404);
      expect(await response.text()).to.contain(message);
    }
  });
});

const sftp = { host: "files.example.com", user: "platen", password: "s3cret" };

async function test(visitor: TestVisitor, id: string): Promise<string> {
  const path = `/api/connections/${id}/test`;
  return (await visitor.send("POST", path)).text();
}

/** @returns the id of the connection that was saved. */
async function consent(visitor: TestVisitor, url: string): Promise<string> {
  const query = (await answerConsent(url)).toString();
  const response = await visitor.send("POST", `${at}/finish`, { query });
  const text = await response.text();
  expect(response.status, text).to.equal(200);
  expect(text).to.not.contain("refresh-");
  return saved.parse(JSON.parse(text)).connectionId;
}
