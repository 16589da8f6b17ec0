import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { after, afterEach, before, describe, it } from "mocha";
import { IsNull, Not } from "typeorm";
import { z } from "zod";
import {
  type DatabaseLocation,
  Job,
} from "../../../core/storage/database/index.js";
import {
  addFile,
  addTestBase,
  listFiles,
  nameDefinition,
} from "../../support/airtable-bases.js";
import { until } from "../../support/eventually.js";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import { FakeGoogle } from "../../support/fakes/fake-google.js";
import { freePort } from "../../support/free-port.js";
import { startServiceProcess } from "../../support/service-process.js";
import { anyDatabase, type OpenDatabase } from "../../support/store.js";
import { suiteFolder } from "../../support/store-folder.js";

const idSchema = z.looseObject({ id: z.string() });
const batchSchema = z.looseObject({ batchId: z.string() });
const writeBackSchema = z.looseObject({
  writeBack: z.looseObject({ succeeded: z.number() }),
});

const createEnv = (folder: string) => ({
  PLATEN_DATA: folder,
  PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
});

const createCredentials = (fake: FakeAirtable) => ({
  token: fake.addToken("pat.shop"),
  endpointUrl: fake.url,
  contentUrl: fake.url,
});

interface Place {
  url: string;
  folder: string;
}

/** Sends the body, or reads the path when there is none. */
async function call({ url, folder }: Place, path: string, body?: object) {
  const key = await readFile(join(folder, "demo-key.txt"), "utf8");
  const response = await fetch(`${url}${path}`, {
    headers: { "x-api-key": key.trim(), "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  expect(response.ok, JSON.stringify(answer)).to.equal(true);
  return answer;
}

interface Orders {
  platform: string;
  credentials: object;
  recordIds: string[];
  baseId: string;
  overwriteExisting?: boolean;
}

/** Has a service write a document for each order into its field Documents. */
async function sendOrders(
  to: Place,
  { platform, credentials, ...records }: Orders,
) {
  const { id: connectionId } = idSchema.parse(
    await call(to, "/api/connections", { platform, name: "Shop", credentials }),
  );
  const { id: templateId } = idSchema.parse(
    await call(to, "/api/templates", {
      name: "Order",
      definition: nameDefinition,
    }),
  );
  return batchSchema.parse(
    await call(to, `/api/export/batch/${platform}`, {
      ...records,
      templateId,
      connectionId,
      tableId: "Orders",
      attachmentField: "Documents",
      formats: ["html"],
    }),
  );
}

describe("a service that is killed while uploads hang", () => {
  const folder = join(suiteFolder(), "data");
  const env = createEnv(folder);
  let fake: FakeAirtable;
  before(async () => {
    fake = await FakeAirtable.start();
  });
  after(() => fake.close());

  it("writes the files that had not been started as soon as it is back, each once", async () => {
    const base = addTestBase(fake, "Shop", 24);
    const hanging = new Set<string>();
    fake.beforeUpload = (_base, recordId) => {
      if (hanging.size >= 4) return undefined;
      hanging.add(recordId);
      return new Promise(() => undefined);
    };
    const first = startServiceProcess(env);
    const url = await first.url;
    await sendOrders(
      { url, folder },
      {
        platform: "airtable",
        credentials: createCredentials(fake),
        recordIds: base.recordIds,
        baseId: base.id,
      },
    );
    await until("four uploads hang", () => hanging.size === 4);
    first.kill("SIGKILL");
    await first.ended;
    const second = startServiceProcess(env);
    await second.url;
    // The four are tried again when the lease of their jobs ends.
    await until("all others are written", () => {
      const files = listFiles(base);
      return files.filter(({ length }) => length === 1).length >= 20;
    });
    const files = listFiles(base).map((names) => names.length);
    expect(Math.max(...files)).to.equal(1);
  });
});

describe("a service that is killed when many records were written, before it knows", () => {
  const baseUrl = "https://platen.example.com";
  let airtable: FakeAirtable;
  let google: FakeGoogle;
  before(async () => {
    airtable = await FakeAirtable.start();
    google = await FakeGoogle.start();
  });
  afterEach(() => {
    airtable.beforeReply = () => undefined;
    google.beforeReply = () => undefined;
  });
  after(async () => {
    await airtable.close();
    await google.close();
  });

  /** Kills a service at the given change of many, of which it gets no answer; then has another one write the rest. */
  async function killAt(
    number: number,
    fake: FakeAirtable | FakeGoogle,
    orders: Orders,
    { open, location }: { open: OpenDatabase; location: DatabaseLocation },
  ): Promise<void> {
    const folder = join(suiteFolder(), `${orders.platform}-${number}`);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    airtable.files.toReachable = (address) => address.replace(baseUrl, url);
    const env = {
      ...createEnv(folder),
      PLATEN_DATABASE_URL:
        location.kind === "mysql" ? location.url : `sqlite:${location.file}`,
      PLATEN_PORT: `${port}`,
      PLATEN_BASE_URL: baseUrl,
    };
    const first = startServiceProcess(env);
    let changes = 0;
    fake.beforeReply = async () => {
      changes += 1;
      if (changes < number) return;
      first.kill("SIGKILL");
      await first.ended;
    };
    await first.url;
    const { batchId } = await sendOrders({ url, folder }, orders);
    await first.ended;
    fake.beforeReply = () => undefined;
    // Ends the leases of the service that was killed, as time does.
    const store = await open();
    await store.unitOfWork.run((tx) =>
      tx.update(
        Job,
        { kind: "write-back", lockToken: Not(IsNull()) },
        { readyAt: new Date(0) },
      ),
    );
    const second = startServiceProcess(env);
    await second.url;
    await until("all are written", async () => {
      const batch = await call({ url, folder }, `/api/batches/${batchId}`);
      const { succeeded } = writeBackSchema.parse(batch).writeBack;
      return succeeded === orders.recordIds.length;
    });
  }

  for (const [number, what] of [
    [1, "added the new files"],
    [4, "removed the earlier files"],
  ] as const)
    anyDatabase((open, location) => {
      it(`leaves one file in each cell of Airtable if the change had ${what}`, async () => {
        const base = addTestBase(airtable, `Shop ${number}`, 24);
        for (const id of base.recordIds) addFile(airtable, base, id, "old.pdf");
        await killAt(
          number,
          airtable,
          {
            platform: "airtable",
            credentials: createCredentials(airtable),
            recordIds: base.recordIds,
            baseId: base.id,
            overwriteExisting: true,
          },
          { open, location },
        );
        const expected = base.recordIds.map((_, at) => [
          `Shop ${number} ${at}.html`,
        ]);
        expect(listFiles(base)).to.deep.equal(expected);
      });
    });

  anyDatabase((open, location) => {
    it("leaves one link in each cell of Google Sheets, and no other file in Drive", async () => {
      google.drive.files.clear();
      const user = "anna@example.com";
      const recordIds = Array.from({ length: 12 }, (_, at) => `${at + 1}`);
      const { id: baseId, sheets } = google.addSpreadsheet("Shop", [user], {
        Orders: [
          ["ID", "Name", "Documents"],
          ...recordIds.map((id) => [Number(id), `Order ${id}`]),
        ],
      });
      await killAt(
        1,
        google,
        {
          platform: "google-sheets",
          credentials: {
            clientId: "client",
            clientSecret: "very-secret",
            refreshToken: google.accounts.addUser(user),
            endpointUrl: google.url,
            fileColumns: ["Documents"],
          },
          recordIds,
          baseId,
        },
        { open, location },
      );
      const cells = sheets[0]?.values(2, 13).map((row) => String(row[2]));
      const names = cells?.map((cell) => cell.replace(/^.*#/, ""));
      expect(names).to.deep.equal(
        recordIds.map((id) => encodeURI(`Order ${id}.html`)),
      );
      expect(google.drive.files.size).to.equal(12);
    });
  });
});
