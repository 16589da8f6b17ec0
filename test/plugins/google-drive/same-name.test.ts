import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import {
  createDeliveryFile,
  DeliverySession,
} from "../../../plugins/contract-suite/delivery-session.js";
import type { DriveCredentials } from "../../../plugins/google-drive/plugin.js";
import { FakeGoogle } from "../../support/fakes/fake-google.js";
import { createDriveSubject } from "./drive-setup.js";

describe("two deliveries that create a file of the same name in Google Drive at once", () => {
  let fake: FakeGoogle;
  let session: DeliverySession<DriveCredentials>;
  before(async () => {
    fake = await FakeGoogle.start();
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
